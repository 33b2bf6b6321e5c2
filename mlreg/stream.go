package mlreg

import (
	"errors"
	"fmt"

	"github.com/regbook/regbook/internal/stream"
)

// stored is what a result of type T consists of: its state, and the methods by which gob
// stores it. Results embed it.
type stored[T, S any] struct{ s S }

// store makes the stored of a state.
func store[T, S any](s S) stored[T, S] { return stored[T, S]{s} }

// GobEncode implements gob.GobEncoder.
func (r *stored[T, S]) GobEncode() ([]byte, error) { return gobEncode[T](&r.s) }

// GobDecode implements gob.GobDecoder. The error is ErrStream.
func (r *stored[T, S]) GobDecode(b []byte) error { return gobDecode[T](b, r, &r.s) }

// storedFit is stored for a fit of a linear predictor.
type storedFit[T, S any] struct {
	linear
	s S
}

// storeFit makes the storedFit of a linear predictor and a state.
func storeFit[T, S any](l linear, s S) storedFit[T, S] { return storedFit[T, S]{l, s} }

// GobEncode implements gob.GobEncoder.
func (f *storedFit[T, S]) GobEncode() ([]byte, error) { return gobEncode[T](&f.l, &f.s) }

// GobDecode implements gob.GobDecoder. The error is ErrStream.
func (f *storedFit[T, S]) GobDecode(b []byte) error { return gobDecode[T](b, f, &f.l, &f.s) }

// gobEncode returns the stream of a T that consists of the parts.
func gobEncode[T any](parts ...any) ([]byte, error) { return stream.Encode[T](parts...) }

// gobDecode is the inverse of gobEncode for a result that is a T, or what a T embeds. The
// parts are in the result, or it is made of them afterwards; parts and result that have a
// method restored check there what they got. The error matches ErrStream, and the result is
// then what it was.
func gobDecode[T, R any](b []byte, result *R, parts ...any) error {
	var none R
	before := *result
	*result = none // gob does not store zeros
	err := stream.Decode[T](b, func() error {
		for _, part := range append(parts, result) {
			if p, ok := part.(interface{ restored() error }); ok {
				if err := p.restored(); err != nil {
					return err
				}
			}
		}
		return nil
	}, parts...)
	if err != nil {
		*result = before
	}
	if err != nil && !errors.Is(err, ErrStream) { // that of a part is
		return fmt.Errorf("%w: %w", ErrStream, err)
	}
	return err
}
