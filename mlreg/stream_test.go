package mlreg

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/nesting"
	"github.com/regbook/regbook/mlreg/internal/stream"
)

// storedResult is a result of a type that gobEncode stores, and its stream.
type storedResult struct {
	value  any
	name   string
	stream []byte
}

// decoder returns an empty result of the same type.
func (s storedResult) decoder() gob.GobDecoder {
	return reflect.New(reflect.TypeOf(s.value).Elem()).Interface().(gob.GobDecoder)
}

// storedResults are the results that gobResults lead to.
func storedResults(t *testing.T) []storedResult {
	var out []storedResult
	seen := map[string]bool{}
	for _, v := range gobResults(t) {
		for _, p := range structs(reflect.ValueOf(v)) {
			name := stream.Name(p.Type().Elem())
			e, encodes := p.Interface().(gob.GobEncoder)
			if !encodes || seen[name] {
				continue
			}
			if _, decodes := p.Interface().(gob.GobDecoder); !decodes {
				continue
			}
			seen[name] = true
			out = append(out, storedResult{p.Interface(), name, get(e.GobEncode())(t)})
		}
	}
	if len(out) < 30 {
		t.Fatalf("%d types of results", len(out))
	}
	return out
}

// Every result refuses the stream of every other type, and names both.
func TestStreamOfAnotherType(t *testing.T) {
	all := storedResults(t)
	for _, a := range all {
		outer := gobBytes(t, a.value)
		for _, b := range all {
			into := b.decoder()
			err := gob.NewDecoder(bytes.NewReader(outer)).Decode(into)
			if a.name == b.name {
				if err != nil || !bytes.Equal(get(into.(gob.GobEncoder).GobEncode())(t), a.stream) {
					t.Errorf("%s: decoded and encoded again, it has other bytes: %v", a.name, err)
				}
				continue
			}
			wantErr(t, err, ErrStream, "wanted a stream of type "+b.name, "found type "+a.name)
			if !reflect.ValueOf(into).Elem().IsZero() {
				t.Errorf("%s has something of a %s in it", b.name, a.name)
			}
		}
	}
}

func TestStreamOfAnotherVersion(t *testing.T) {
	for _, s := range storedResults(t) {
		for _, version := range []string{"1", "3"} {
			b := slices.Clone(s.stream)
			b[len(stream.Magic)] = version[0] - '0'
			wantErr(t, s.decoder().GobDecode(b), ErrStream, "wanted version 2", "found version "+version, s.name)
		}
	}
	wantErr(t, (&OLS{}).GobDecode([]byte("something else")), ErrStream, "OLS")
	wantErr(t, (&OLS{}).GobDecode(nil), ErrStream, "OLS")
}

// anotherGaussian is the stream of a build in which the state of a Gaussian has one field
// more.
func anotherGaussian(t *testing.T) []byte {
	type Gaussian struct{}
	type state struct {
		gaussianState
		Mean, T []float64
		LogDet  float64
	}
	return get(stream.Encode(&Gaussian{}, &state{Mean: []float64{1}, T: []float64{1}}))(t)
}

// The stream of another build, which has other fields, is refused.
func TestStreamOfAnotherLayout(t *testing.T) {
	wantErr(t, (&Gaussian{}).GobDecode(anotherGaussian(t)), ErrStream, "another build wrote the stream of type Gaussian")
	for _, s := range storedResults(t) {
		b := slices.Clone(s.stream)
		b[len(stream.Magic)+2+len(s.name)] ^= 1
		resum(b)
		wantErr(t, s.decoder().GobDecode(b), ErrStream, "another build wrote the stream of type "+s.name)
	}
}

// A result that is decoded into is replaced as a whole, or stays what it is.
func TestStreamReplaces(t *testing.T) {
	d, _, _ := resultData(t)
	scaled, raw := get(FitOLS(d, nil))(t), get(FitOLS(randomDesign(t, 1, 9, 1), nil))(t)
	before, b := get(scaled.GobEncode())(t), get(raw.GobEncode())(t)
	damaged := slices.Clone(b)
	damaged[len(b)-1] ^= 1
	short := *raw
	short.l.B = nil
	for what, b := range map[string][]byte{"damaged": damaged, "forged": get(short.GobEncode())(t)} {
		if err := scaled.GobDecode(b); !errors.Is(err, ErrStream) || !bytes.Equal(get(scaled.GobEncode())(t), before) {
			t.Errorf("changed by a %s stream: %v", what, err)
		}
	}
	if err := scaled.GobDecode(b); err != nil || scaled.Scaling() != nil || !bytes.Equal(get(scaled.GobEncode())(t), b) {
		t.Error("something is left of what it was", err)
	}
}

// mutate returns a stream in which a few bytes are others, are missing, or are new.
func mutate(b []byte, rnd *rand.Rand) []byte {
	b = slices.Clone(b)
	for range 1 + rnd.IntN(3) {
		if len(b) == 0 {
			return b
		}
		at := rnd.IntN(len(b))
		switch rnd.IntN(6) {
		case 0:
			b = b[:at]
		case 1:
			b = slices.Delete(b, at, min(at+1+rnd.IntN(8), len(b)))
		case 2:
			b = slices.Insert(b, at, byte(rnd.Uint32()))
		case 3:
			b[at] ^= 1 << rnd.IntN(8)
		case 4:
			b[at] = 0xf8 + byte(rnd.IntN(8)) // gob's lengths of numbers
		default:
			b[at] = byte(rnd.Uint32())
		}
	}
	return b
}

// resum gives a stream the checksum that it would have.
func resum(b []byte) {
	head := len(stream.Magic) + 2
	if len(b) < head {
		return
	}
	if at := head + int(b[head-1]) + 8; len(b) >= at+crc32.Size {
		binary.BigEndian.PutUint32(b[at:], stream.Sum(b, at))
	}
}

// Damaged and random streams are refused.
func TestDamagedStreams(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for _, s := range storedResults(t) {
		for range 300 {
			b := mutate(s.stream, rnd)
			if bytes.Equal(b, s.stream) {
				continue
			}
			if err := s.decoder().GobDecode(b); !errors.Is(err, ErrStream) {
				t.Fatalf("%s: a damaged stream: %v", s.name, err)
			}
			random := make([]byte, rnd.IntN(100))
			for i := range random {
				random[i] = byte(rnd.Uint32())
			}
			if err := s.decoder().GobDecode(random); !errors.Is(err, ErrStream) {
				t.Fatalf("%s: random bytes: %v", s.name, err)
			}
		}
	}
}

// checkForged decodes bytes that were made to have the checksum. They are refused, or of a
// result that has as many coefficients as names, and that can be stored again.
func checkForged(t *testing.T, s storedResult, b []byte) (refused bool) {
	into := s.decoder()
	if err := into.GobDecode(b); err != nil {
		if !errors.Is(err, ErrStream) {
			t.Errorf("%s: %v", s.name, err)
		}
		if !reflect.ValueOf(into).Elem().IsZero() {
			t.Errorf("%s: something of a stream that is refused", s.name)
		}
		return true
	}
	if _, err := into.(gob.GobEncoder).GobEncode(); err != nil {
		t.Errorf("%s: %v", s.name, err)
	}
	if f, ok := into.(interface {
		CoefFit
		Slopes() []float64
	}); ok && len(f.Names()) != len(f.Coef()) {
		t.Errorf("%s: %d names of %d coefficients", s.name, len(f.Names()), len(f.Coef()))
	}
	return false
}

// Whatever the bytes that have the checksum, decoding does not panic.
func TestForgedStreams(t *testing.T) {
	repeats(t)
	rnd := rand.New(rand.NewPCG(8, 8))
	for _, s := range storedResults(t) {
		refused := 0
		for range 100 {
			b := mutate(s.stream, rnd)
			resum(b)
			if checkForged(t, s, b) {
				refused++
			}
		}
		if refused < 12 {
			t.Errorf("%s: %d of 100 forged streams are refused", s.name, refused)
		}
	}
}

// storing is what a result of type T does.
type storing[T any] interface {
	*T
	gob.GobEncoder
	gob.GobDecoder
}

// refuses decodes a result that was changed before it was stored.
func refuses[T any, P storing[T]](t *testing.T, result P, what string, change func(P)) {
	t.Helper()
	changed := P(new(T))
	*changed = *result
	change(changed)
	wantErr(t, P(new(T)).GobDecode(get(changed.GobEncode())(t)), ErrStream, what)
}

// Lengths that are checked where a result is made are checked where one is decoded.
func TestForgedLengths(t *testing.T) {
	d, labels, _ := resultData(t)
	ols, moments := get(FitOLS(d, nil))(t), get(d.Moments())(t)
	refuses(t, ols, "3 terms have 2 slopes", func(f *OLS) { f.l.B = f.l.B[1:] })
	refuses(t, ols, "scaling has 0 centers", func(f *OLS) { f.l.Scaling = &Scaling{} })
	refuses(t, get(FitBayesLogistic(labels, GaussianPrior{Tau2: 1}, nil))(t), "have 0 slopes", func(f *BayesLogistic) { f.m.l.B = nil })
	refuses(t, moments, "scaling has 0 centers", func(m *Moments) { m.s.Scaling = &Scaling{} })
	refuses(t, moments, "the sums are not those of 3 terms", func(m *Moments) { m.s.SXY = nil })
	folds, groups := get(NewFolds([]int{0, 1, 0}))(t), get(NewGrouping("g", []string{"a", "b", "a"}))(t)
	refuses(t, folds, "row 3 is in fold 3", func(f *Folds) { f.of = []int{0, 1, 3} })
	refuses(t, folds, "fold 1 is empty", func(f *Folds) { f.sums = []*Moments{moments, NewMoments(d)} })
	refuses(t, groups, `the rows of level "g"`, func(g *Grouping) { g.levels = []nesting.Level{{Name: "g", Of: []int{1}, Labels: []string{"a"}}} })
	refuses(t, d, "0 names", func(d *Design) { d.Names = nil })
	normal := get(NewGaussian([]float64{1, 2}, mat.NewSymDense(2, []float64{2, 1, 1, 2})))(t)
	refuses(t, normal, "a mean of length 1", func(g *Gaussian) { g.s.Mean = []float64{1} })
	system := get(NewLinearGaussian(normal, mat.NewDense(1, 2, []float64{1, 3}), nil, mat.NewSymDense(1, []float64{1})))(t)
	refuses(t, system, "b of length 3", func(s *LinearGaussian) { s.b = make([]float64, 3) })
	prior := get(stream.Encode(&GaussianPrior{}, &priorState{Diagonal: []float64{1, 2}, Full: []float64{1}}))(t)
	wantErr(t, new(GaussianPrior).GobDecode(prior), ErrStream, "order 2 has 1 values")
	e := &expansion{}
	wantErr(t, gobDecode(get(stream.Encode(e, e))(t), e, e), ErrStream, "there is no basis")
}

// A result without its parts is not stored.
func TestEmptyParts(t *testing.T) {
	if _, err := (&GreedyCV{}).GobEncode(); err == nil || err.Error() != "the GreedyCV is empty: its CV is nil" {
		t.Error(err)
	}
}

// Whatever the bytes, decoding does not panic.
func FuzzGobDecode(f *testing.F) {
	var all []storedResult
	for k, s := range storedResults(&testing.T{}) {
		all = append(all, s)
		f.Add(k, s.stream)
	}
	f.Fuzz(func(t *testing.T, k int, b []byte) {
		s := all[((k%len(all))+len(all))%len(all)]
		b = slices.Clone(b)
		resum(b)
		checkForged(t, s, b)
	})
}
