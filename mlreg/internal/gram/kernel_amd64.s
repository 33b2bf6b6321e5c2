#include "textflag.h"

// One row of the packed panel: four columns times the twelve of three strips.
#define STEP4(k) \
	VMOVUPD (k*32)(BX), Y12 \
	VMOVUPD (k*32)(BX)(R8*1), Y13 \
	VMOVUPD (k*32)(BX)(R8*2), Y14 \
	VBROADCASTSD (k*32+0)(AX), Y15 \
	VFMADD231PD Y12, Y15, Y0 \
	VFMADD231PD Y13, Y15, Y1 \
	VFMADD231PD Y14, Y15, Y2 \
	VBROADCASTSD (k*32+8)(AX), Y15 \
	VFMADD231PD Y12, Y15, Y3 \
	VFMADD231PD Y13, Y15, Y4 \
	VFMADD231PD Y14, Y15, Y5 \
	VBROADCASTSD (k*32+16)(AX), Y15 \
	VFMADD231PD Y12, Y15, Y6 \
	VFMADD231PD Y13, Y15, Y7 \
	VFMADD231PD Y14, Y15, Y8 \
	VBROADCASTSD (k*32+24)(AX), Y15 \
	VFMADD231PD Y12, Y15, Y9 \
	VFMADD231PD Y13, Y15, Y10 \
	VFMADD231PD Y14, Y15, Y11

#define ADD4(a, b, c) \
	VADDPD (DI), a, a \
	VADDPD 32(DI), b, b \
	VADDPD 64(DI), c, c \
	VMOVUPD a, (DI) \
	VMOVUPD b, 32(DI) \
	VMOVUPD c, 64(DI) \
	ADDQ R9, DI

// func tileAVX2(rows int, a, b *float64, strip int, c *float64, stride int)
TEXT ·tileAVX2(SB), NOSPLIT, $0-48
	MOVQ rows+0(FP), CX
	MOVQ a+8(FP), AX
	MOVQ b+16(FP), BX
	MOVQ strip+24(FP), R8
	MOVQ c+32(FP), DI
	MOVQ stride+40(FP), R9
	SHLQ $3, R8
	SHLQ $3, R9
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7
	VXORPD Y8, Y8, Y8
	VXORPD Y9, Y9, Y9
	VXORPD Y10, Y10, Y10
	VXORPD Y11, Y11, Y11
	SUBQ $4, CX
	JL   tail2

loop2:
	STEP4(0)
	STEP4(1)
	STEP4(2)
	STEP4(3)
	ADDQ $128, AX
	ADDQ $128, BX
	SUBQ $4, CX
	JGE  loop2

tail2:
	ADDQ $4, CX
	JZ   add2

one2:
	STEP4(0)
	ADDQ $32, AX
	ADDQ $32, BX
	DECQ CX
	JNZ  one2

add2:
	ADD4(Y0, Y1, Y2)
	ADD4(Y3, Y4, Y5)
	ADD4(Y6, Y7, Y8)
	ADD4(Y9, Y10, Y11)
	VZEROUPPER
	RET

#define START4(off, a, b, c) \
	VBROADCASTSD (off)(DX), a \
	VMOVAPD a, b \
	VMOVAPD a, c

#define SQUARE4(a, b, c) \
	VFMADD231PD a, a, Y12 \
	VFMADD231PD b, b, Y13 \
	VFMADD231PD c, c, Y14

// func squaresAVX2(rows int, a, b *float64, strip int, start, sums *float64)
TEXT ·squaresAVX2(SB), NOSPLIT, $0-48
	MOVQ rows+0(FP), CX
	MOVQ a+8(FP), AX
	MOVQ b+16(FP), BX
	MOVQ strip+24(FP), R8
	MOVQ start+32(FP), DX
	MOVQ sums+40(FP), DI
	SHLQ $3, R8
	START4(0, Y0, Y1, Y2)
	START4(8, Y3, Y4, Y5)
	START4(16, Y6, Y7, Y8)
	START4(24, Y9, Y10, Y11)
	SUBQ $4, CX
	JL   tailsquares2

loopsquares2:
	STEP4(0)
	STEP4(1)
	STEP4(2)
	STEP4(3)
	ADDQ $128, AX
	ADDQ $128, BX
	SUBQ $4, CX
	JGE  loopsquares2

tailsquares2:
	ADDQ $4, CX
	JZ   endsquares2

onesquares2:
	STEP4(0)
	ADDQ $32, AX
	ADDQ $32, BX
	DECQ CX
	JNZ  onesquares2

endsquares2:
	VMOVUPD (DI), Y12
	VMOVUPD 32(DI), Y13
	VMOVUPD 64(DI), Y14
	SQUARE4(Y0, Y1, Y2)
	SQUARE4(Y3, Y4, Y5)
	SQUARE4(Y6, Y7, Y8)
	SQUARE4(Y9, Y10, Y11)
	VMOVUPD Y12, (DI)
	VMOVUPD Y13, 32(DI)
	VMOVUPD Y14, 64(DI)
	VZEROUPPER
	RET

// The same for strips of eight: eight columns times twenty-four.
#define COLUMN8(off, a, b, c) \
	VBROADCASTSD (off)(AX), Z27 \
	VFMADD231PD Z24, Z27, a \
	VFMADD231PD Z25, Z27, b \
	VFMADD231PD Z26, Z27, c

#define STEP8(k) \
	VMOVUPD (k*64)(BX), Z24 \
	VMOVUPD (k*64)(BX)(R8*1), Z25 \
	VMOVUPD (k*64)(BX)(R8*2), Z26 \
	COLUMN8(k*64+0, Z0, Z1, Z2) \
	COLUMN8(k*64+8, Z3, Z4, Z5) \
	COLUMN8(k*64+16, Z6, Z7, Z8) \
	COLUMN8(k*64+24, Z9, Z10, Z11) \
	COLUMN8(k*64+32, Z12, Z13, Z14) \
	COLUMN8(k*64+40, Z15, Z16, Z17) \
	COLUMN8(k*64+48, Z18, Z19, Z20) \
	COLUMN8(k*64+56, Z21, Z22, Z23)

#define ADD8(a, b, c) \
	VADDPD (DI), a, a \
	VADDPD 64(DI), b, b \
	VADDPD 128(DI), c, c \
	VMOVUPD a, (DI) \
	VMOVUPD b, 64(DI) \
	VMOVUPD c, 128(DI) \
	ADDQ R9, DI

#define ZERO8(a, b, c) \
	VPXORQ a, a, a \
	VPXORQ b, b, b \
	VPXORQ c, c, c

// func tileAVX512(rows int, a, b *float64, strip int, c *float64, stride int)
TEXT ·tileAVX512(SB), NOSPLIT, $0-48
	MOVQ rows+0(FP), CX
	MOVQ a+8(FP), AX
	MOVQ b+16(FP), BX
	MOVQ strip+24(FP), R8
	MOVQ c+32(FP), DI
	MOVQ stride+40(FP), R9
	SHLQ $3, R8
	SHLQ $3, R9
	ZERO8(Z0, Z1, Z2)
	ZERO8(Z3, Z4, Z5)
	ZERO8(Z6, Z7, Z8)
	ZERO8(Z9, Z10, Z11)
	ZERO8(Z12, Z13, Z14)
	ZERO8(Z15, Z16, Z17)
	ZERO8(Z18, Z19, Z20)
	ZERO8(Z21, Z22, Z23)
	SUBQ $2, CX
	JL   tail5

loop5:
	STEP8(0)
	STEP8(1)
	ADDQ $128, AX
	ADDQ $128, BX
	SUBQ $2, CX
	JGE  loop5

tail5:
	ADDQ $2, CX
	JZ   add5
	STEP8(0)

add5:
	ADD8(Z0, Z1, Z2)
	ADD8(Z3, Z4, Z5)
	ADD8(Z6, Z7, Z8)
	ADD8(Z9, Z10, Z11)
	ADD8(Z12, Z13, Z14)
	ADD8(Z15, Z16, Z17)
	ADD8(Z18, Z19, Z20)
	ADD8(Z21, Z22, Z23)
	VZEROUPPER
	RET

#define START8(off, a, b, c) \
	VBROADCASTSD (off)(DX), a \
	VMOVAPD a, b \
	VMOVAPD a, c

#define SQUARE8(a, b, c) \
	VFMADD231PD a, a, Z24 \
	VFMADD231PD b, b, Z25 \
	VFMADD231PD c, c, Z26

// func squaresAVX512(rows int, a, b *float64, strip int, start, sums *float64)
TEXT ·squaresAVX512(SB), NOSPLIT, $0-48
	MOVQ rows+0(FP), CX
	MOVQ a+8(FP), AX
	MOVQ b+16(FP), BX
	MOVQ strip+24(FP), R8
	MOVQ start+32(FP), DX
	MOVQ sums+40(FP), DI
	SHLQ $3, R8
	START8(0, Z0, Z1, Z2)
	START8(8, Z3, Z4, Z5)
	START8(16, Z6, Z7, Z8)
	START8(24, Z9, Z10, Z11)
	START8(32, Z12, Z13, Z14)
	START8(40, Z15, Z16, Z17)
	START8(48, Z18, Z19, Z20)
	START8(56, Z21, Z22, Z23)
	SUBQ $2, CX
	JL   tailsquares5

loopsquares5:
	STEP8(0)
	STEP8(1)
	ADDQ $128, AX
	ADDQ $128, BX
	SUBQ $2, CX
	JGE  loopsquares5

tailsquares5:
	ADDQ $2, CX
	JZ   endsquares5
	STEP8(0)

endsquares5:
	VMOVUPD (DI), Z24
	VMOVUPD 64(DI), Z25
	VMOVUPD 128(DI), Z26
	SQUARE8(Z0, Z1, Z2)
	SQUARE8(Z3, Z4, Z5)
	SQUARE8(Z6, Z7, Z8)
	SQUARE8(Z9, Z10, Z11)
	SQUARE8(Z12, Z13, Z14)
	SQUARE8(Z15, Z16, Z17)
	SQUARE8(Z18, Z19, Z20)
	SQUARE8(Z21, Z22, Z23)
	VMOVUPD Z24, (DI)
	VMOVUPD Z25, 64(DI)
	VMOVUPD Z26, 128(DI)
	VZEROUPPER
	RET

// func pack4AVX2(dst *float64, strip int, v, center, scale *float64, strips int, root float64)
// dst[s*strip+t] = root * scale[4s+t] * (v[4s+t] - center[4s+t]), t = 0 ... 3.
TEXT ·pack4AVX2(SB), NOSPLIT, $0-56
	MOVQ         dst+0(FP), DI
	MOVQ         strip+8(FP), R8
	MOVQ         v+16(FP), SI
	MOVQ         center+24(FP), DX
	MOVQ         scale+32(FP), BX
	MOVQ         strips+40(FP), CX
	VBROADCASTSD root+48(FP), Y3
	SHLQ         $3, R8

pack4:
	VMOVUPD (SI), Y0
	VSUBPD  (DX), Y0, Y0
	VMULPD  (BX), Y0, Y0
	VMULPD  Y3, Y0, Y0
	VMOVUPD Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DX
	ADDQ    $32, BX
	ADDQ    R8, DI
	DECQ    CX
	JNZ     pack4
	VZEROUPPER
	RET

// func pack8AVX512(dst *float64, strip int, v, center, scale *float64, strips int, root float64)
// The same for strips of eight.
TEXT ·pack8AVX512(SB), NOSPLIT, $0-56
	MOVQ         dst+0(FP), DI
	MOVQ         strip+8(FP), R8
	MOVQ         v+16(FP), SI
	MOVQ         center+24(FP), DX
	MOVQ         scale+32(FP), BX
	MOVQ         strips+40(FP), CX
	VBROADCASTSD root+48(FP), Z3
	SHLQ         $3, R8

pack8:
	VMOVUPD (SI), Z0
	VSUBPD  (DX), Z0, Z0
	VMULPD  (BX), Z0, Z0
	VMULPD  Z3, Z0, Z0
	VMOVUPD Z0, (DI)
	ADDQ    $64, SI
	ADDQ    $64, DX
	ADDQ    $64, BX
	ADDQ    R8, DI
	DECQ    CX
	JNZ     pack8
	VZEROUPPER
	RET
