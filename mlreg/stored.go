package mlreg

import "github.com/regbook/regbook/mlreg/internal/stream"

// stored is what a result of type T consists of: its state, and the methods by which gob
// stores it. Results embed it, but for fits that embed linear: their methods store both, and
// go/doc would not show those of linear through another type that is not exported.
type stored[T, S any] struct{ s S }

// store makes the stored of a state.
func store[T, S any](s S) stored[T, S] { return stored[T, S]{s} }

// GobEncode implements gob.GobEncoder.
func (r *stored[T, S]) GobEncode() ([]byte, error) { return stream.Encode(new(T), &r.s) }

// GobDecode implements gob.GobDecoder.
func (r *stored[T, S]) GobDecode(b []byte) error {
	var s S
	err := stream.Decode(b, new(T), &s)
	if err == nil {
		r.s = s
	}
	return err
}
