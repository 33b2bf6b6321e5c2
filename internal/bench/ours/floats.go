package ours

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"math"
	"os"
)

// ReadFloats reads a file of little-endian float64 numbers.
func ReadFloats(file string) ([]float64, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	v := make([]float64, 0, info.Size()/8)
	buf := make([]byte, 1<<16)
	for {
		n, err := io.ReadFull(f, buf)
		for b := buf[:n]; len(b) >= 8; b = b[8:] {
			v = append(v, math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			return v, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// WriteFloats writes such a file, whole or not at all.
func WriteFloats(file string, values iter.Seq[float64]) error {
	part := file + ".part"
	f, err := os.Create(part)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	var b [8]byte
	for v := range values {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		if _, err = w.Write(b[:]); err != nil {
			break
		}
	}
	if err = errors.Join(err, w.Flush(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return os.Rename(part, file)
}
