#include "textflag.h"

// MASK(n) at 32-8n+mask<>(SB): the first n lanes of four.
DATA mask<>+0(SB)/8, $-1
DATA mask<>+8(SB)/8, $-1
DATA mask<>+16(SB)/8, $-1
DATA mask<>+24(SB)/8, $-1
DATA mask<>+32(SB)/8, $0
DATA mask<>+40(SB)/8, $0
DATA mask<>+48(SB)/8, $0
DATA mask<>+56(SB)/8, $0
GLOBL mask<>(SB), RODATA|NOPTR, $64

// s, e in Y0, Y1: add the products of Y2 with b in Y3 and its low part in Y4.
#define DOT2 \
	VMULPD Y3, Y2, Y5         \ // p = x b
	VFMADD231PD Y2, Y4, Y1    \ // e += x blow
	VFMSUB213PD Y5, Y2, Y3    \ // q = x b - p
	VADDPD Y5, Y0, Y6         \ // t = s + p
	VSUBPD Y0, Y6, Y7         \ // z = t - s
	VADDPD Y3, Y1, Y1         \
	VSUBPD Y7, Y5, Y5         \ // p - z
	VSUBPD Y7, Y6, Y7         \ // t - z
	VSUBPD Y7, Y0, Y7         \ // s - (t - z)
	VADDPD Y5, Y7, Y7         \
	VADDPD Y7, Y1, Y1         \
	VMOVAPD Y6, Y0

// func dotAVX2(n int, x, b, low *float64, sums *[8]float64)
TEXT ·dotAVX2(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ x+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ low+24(FP), BX
	MOVQ sums+32(FP), DI
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	SUBQ $4, CX
	JL   dottail

dotloop:
	VMOVUPD (SI), Y2
	VMOVUPD (DX), Y3
	VMOVUPD (BX), Y4
	DOT2
	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $32, BX
	SUBQ $4, CX
	JGE  dotloop

dottail:
	ADDQ $4, CX
	JZ   dotdone
	SHLQ $3, CX
	LEAQ mask<>+32(SB), R8
	SUBQ CX, R8
	VMOVUPD (R8), Y8
	VMASKMOVPD (SI), Y8, Y2
	VMASKMOVPD (DX), Y8, Y3
	VMASKMOVPD (BX), Y8, Y4
	DOT2

dotdone:
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VZEROUPPER
	RET

// g, e in Y0, Y1: add the products of Y2 with the factor in Y3.
#define AXPY2 \
	VMULPD Y3, Y2, Y5         \ // p = f x
	VADDPD Y5, Y0, Y6         \ // t = g + p
	VFMSUB213PD Y5, Y3, Y2    \ // q = f x - p
	VSUBPD Y0, Y6, Y7         \ // z = t - g
	VADDPD Y2, Y1, Y1         \
	VSUBPD Y7, Y5, Y5         \
	VSUBPD Y7, Y6, Y7         \
	VSUBPD Y7, Y0, Y7         \
	VADDPD Y5, Y7, Y7         \
	VADDPD Y7, Y1, Y1

// func axpyAVX2(n int, factor float64, x, hi, low *float64)
TEXT ·axpyAVX2(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	VBROADCASTSD factor+8(FP), Y3
	MOVQ x+16(FP), SI
	MOVQ hi+24(FP), DX
	MOVQ low+32(FP), BX
	SUBQ $4, CX
	JL   axpytail

axpyloop:
	VMOVUPD (SI), Y2
	VMOVUPD (DX), Y0
	VMOVUPD (BX), Y1
	AXPY2
	VMOVUPD Y6, (DX)
	VMOVUPD Y1, (BX)
	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $32, BX
	SUBQ $4, CX
	JGE  axpyloop

axpytail:
	ADDQ $4, CX
	JZ   axpydone
	SHLQ $3, CX
	LEAQ mask<>+32(SB), R8
	SUBQ CX, R8
	VMOVUPD (R8), Y8
	VMASKMOVPD (SI), Y8, Y2
	VMASKMOVPD (DX), Y8, Y0
	VMASKMOVPD (BX), Y8, Y1
	AXPY2
	VMASKMOVPD Y6, Y8, (DX)
	VMASKMOVPD Y1, Y8, (BX)

axpydone:
	VZEROUPPER
	RET
