package plotting

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"image"
	"image/png"
)

// pngSignature begins every PNG file (RFC 2083, section 3.1).
const pngSignature = "\x89PNG\r\n\x1a\n"

// fastPNG encodes an opaque picture at half the time of image/png, for which a cell
// waits, and in no more bytes: image/png tries five filters on every row, but the
// rows of a figure are best left as they are, unless they repeat the row above.
// Other pictures are left to image/png.
func fastPNG(img image.Image) ([]byte, error) {
	var file bytes.Buffer
	pixels, ok := img.(*image.RGBA)
	if !ok || !pixels.Opaque() || pixels.Rect.Empty() {
		err := png.Encode(&file, img)
		return file.Bytes(), err
	}
	data, err := pngRows(pixels)
	if err != nil {
		return nil, err
	}
	header := binary.BigEndian.AppendUint32(nil, uint32(pixels.Rect.Dx()))
	header = binary.BigEndian.AppendUint32(header, uint32(pixels.Rect.Dy()))
	header = append(header, 8, 2, 0, 0, 0) // 8 bits a channel, RGB, the only compression and filters, not interlaced
	file.WriteString(pngSignature)
	pngChunk(&file, "IHDR", header)
	pngChunk(&file, "IDAT", data)
	pngChunk(&file, "IEND", nil)
	return file.Bytes(), nil
}

// pngRows compresses the rows, each after the number of its filter: 2, the difference
// from the row above, if that is zero, and 0, none, if not. The halves of the picture are
// compressed at the same time, as parts of one stream (RFC 1950).
func pngRows(img *image.RGBA) ([]byte, error) {
	height := img.Rect.Dy()
	middle := height / 2
	var first pngPart
	done := make(chan error)
	go func() {
		err := first.write(img, 0, middle)
		done <- errors.Join(err, first.flate.Flush()) // ends at a whole byte, and not the stream
	}()
	var second pngPart
	err := second.write(img, middle, height)
	if err := errors.Join(err, second.flate.Close(), <-done); err != nil {
		return nil, err
	}
	stream := []byte{0x78, 0x01} // a window of 32 kB, the fastest compression
	stream = append(stream, first.out.Bytes()...)
	stream = append(stream, second.out.Bytes()...)
	return binary.BigEndian.AppendUint32(stream, joinAdler32(first.sum.Sum32(), second.sum.Sum32(), second.size)), nil
}

// A pngPart is some rows of a picture, compressed.
type pngPart struct {
	out   bytes.Buffer
	flate *flate.Writer
	sum   hash.Hash32
	size  int // in bytes, before
}

// write compresses the rows from top up to bottom.
func (p *pngPart) write(img *image.RGBA, top, bottom int) error {
	p.flate, _ = flate.NewWriter(&p.out, flate.BestSpeed) // no error: there is such a level
	p.sum = adler32.New()
	width := img.Rect.Dx()
	same := make([]byte, 1+3*width)
	same[0] = 2
	row := make([]byte, 1+3*width)
	for y := top; y < bottom; y++ {
		pixels := img.Pix[y*img.Stride:][:4*width]
		line := same
		if y == 0 || !bytes.Equal(pixels, img.Pix[(y-1)*img.Stride:][:4*width]) {
			line = row
			for x := range width {
				copy(row[1+3*x:4+3*x], pixels[4*x:])
			}
		}
		if _, err := p.flate.Write(line); err != nil {
			return err
		}
		p.sum.Write(line)
		p.size += len(line)
	}
	return nil
}

// joinAdler32 returns the checksum of a text whose two parts have the checksums a and b, and
// of which the second has size bytes (RFC 1950, section 2.2: the lower half is 1 plus the
// sum of the bytes, the upper one the sum of its values, both modulo 65521).
func joinAdler32(a, b uint32, size int) uint32 {
	const mod = 65521
	low1, high1, low2, high2 := uint64(a&0xffff), uint64(a>>16), uint64(b&0xffff), uint64(b>>16)
	low := (low1 + low2 + mod - 1) % mod
	high := (high1 + high2 + uint64(size)%mod*(low1+mod-1)) % mod
	return uint32(high<<16 | low)
}

// pngChunk appends a part of the file: its length, name, data and checksum.
func pngChunk(file *bytes.Buffer, name string, data []byte) {
	length := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	sum := crc32.NewIEEE()
	sum.Write([]byte(name))
	sum.Write(data)
	file.Write(length)
	file.WriteString(name)
	file.Write(data)
	file.Write(sum.Sum(nil))
}
