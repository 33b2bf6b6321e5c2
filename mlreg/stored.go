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
	err := gobDecode(b, new(T), &s)
	if err == nil {
		r.s = s
	}
	return err
}

// gobDecode decodes what stream.Encode has made of the parts of a result. A part or result that
// has a method restored checks there what gob has filled.
func gobDecode(b []byte, result any, parts ...any) error {
	return stream.Decode(b, result, func() error {
		for _, part := range append(parts, result) {
			if p, ok := part.(interface{ restored() error }); ok {
				if err := p.restored(); err != nil {
					return err
				}
			}
		}
		return nil
	}, parts...)
}
