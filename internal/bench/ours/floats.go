package ours

import (
	"bufio"
	"encoding/binary"
	"io"
	"iter"
	"os"

	"github.com/regbook/regbook/internal/wholefile"
)

// ReadFloats reads a file of little-endian float64 numbers.
func ReadFloats(file string) ([]float64, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	v := make([]float64, len(b)/8)
	_, err = binary.Decode(b, binary.LittleEndian, v)
	return v, err
}

// WriteFloats writes such a file, whole or not at all.
func WriteFloats(file string, values iter.Seq[float64]) error {
	return wholefile.Write(file, func(to io.Writer) error {
		w := bufio.NewWriterSize(to, 1<<16)
		for v := range values {
			if err := binary.Write(w, binary.LittleEndian, v); err != nil {
				return err
			}
		}
		return w.Flush()
	})
}
