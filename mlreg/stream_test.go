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
	"strings"
	"testing"
)

// stored is one result of every type that gobEncode stores, and its stream.
type stored struct {
	value  any
	name   string
	stream []byte
}

// decoder returns an empty result of the same type.
func (s stored) decoder() gob.GobDecoder {
	return reflect.New(reflect.TypeOf(s.value).Elem()).Interface().(gob.GobDecoder)
}

// storedResults are the results that gobResults lead to.
func storedResults(t *testing.T) []stored {
	var out []stored
	seen := map[string]bool{}
	for _, v := range gobResults(t) {
		for _, p := range structs(reflect.ValueOf(v)) {
			name := streamName(p.Interface())
			e, encodes := p.Interface().(gob.GobEncoder)
			if !encodes || seen[name] {
				continue
			}
			if _, decodes := p.Interface().(gob.GobDecoder); !decodes {
				continue
			}
			seen[name] = true
			out = append(out, stored{p.Interface(), name, get(e.GobEncode())(t)})
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
				if err != nil {
					t.Errorf("%s: %v", a.name, err)
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
		b := slices.Clone(s.stream)
		b[len(streamMagic)] = streamVersion + 1
		wantErr(t, s.decoder().GobDecode(b), ErrStream, "version 1", "version 2", s.name)
	}
	wantErr(t, (&OLS{}).GobDecode([]byte("something else")), ErrStream, "OLS")
	wantErr(t, (&OLS{}).GobDecode(nil), ErrStream, "OLS")
}

// A result that is decoded into is replaced as a whole, or stays what it is.
func TestStreamReplaces(t *testing.T) {
	d, _, _ := resultData(t)
	scaled, raw := get(FitOLS(d, nil))(t), get(FitOLS(randomDesign(t, 1, 9, 1), nil))(t)
	before, b := get(scaled.GobEncode())(t), get(raw.GobEncode())(t)
	damaged := slices.Clone(b)
	damaged[len(b)-1] ^= 1
	if err := scaled.GobDecode(damaged); !errors.Is(err, ErrStream) || !bytes.Equal(get(scaled.GobEncode())(t), before) {
		t.Error("changed by a damaged stream", err)
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
	head := len(streamMagic) + 2
	if len(b) < head {
		return
	}
	if at := head + int(b[head-1]); len(b) >= at+crc32.Size {
		binary.BigEndian.PutUint32(b[at:], streamSum(b, at))
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

// checkForged decodes bytes that were made to have the checksum. They are refused,
// or of a result whose methods do not panic.
func checkForged(t *testing.T, s stored, b []byte) (refused bool) {
	into := s.decoder()
	if err := into.GobDecode(b); err != nil {
		if !errors.Is(err, ErrStream) {
			t.Errorf("%s: %v", s.name, err)
		}
		return true
	}
	v := reflect.ValueOf(into)
	for i := range v.NumMethod() {
		m := v.Type().Method(i)
		if m.Type.NumIn() > 1 {
			continue
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%s.%s of a forged stream: %v", s.name, m.Name, p)
				}
			}()
			v.Method(i).Call(nil)
		}()
	}
	return false
}

// Bytes that keep the checksum are held to what the result promises.
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

// Parts that do not belong together are refused.
func TestBrokenPromises(t *testing.T) {
	d, labels, _ := resultData(t)
	ols, ridge := get(FitOLS(d, nil))(t), get(FitRidgePath(d, nil))(t)
	logistic, lars := get(FitLogistic(labels, nil))(t), get(FitLARS(d, nil))(t)
	for what, change := range map[string]func() ([]byte, error){
		"values of B":     func() ([]byte, error) { f := *ols; f.l.B = f.l.B[1:]; return f.GobEncode() },
		"rank":            func() ([]byte, error) { f := *ols; f.s.Rank = 5; return f.GobEncode() },
		"N is":            func() ([]byte, error) { f := *ols; f.s.N = -1; return f.GobEncode() },
		"values of Root":  func() ([]byte, error) { f := *ols; f.s.Root = f.s.Root[1:]; return f.GobEncode() },
		"two terms":       func() ([]byte, error) { f := *ols; f.l.Names = []string{"a", "b", "a"}; return f.GobEncode() },
		"scaling":         func() ([]byte, error) { f := *ols; f.l.Scaling = &Scaling{}; return f.GobEncode() },
		"a path of other": func() ([]byte, error) { f := *ridge; f.s.Ridge = nil; return f.GobEncode() },
		"Classes":         func() ([]byte, error) { f := *logistic; f.c.Classes = []string{"a"}; return f.GobEncode() },
		"a term is 3": func() ([]byte, error) {
			f := *lars
			f.steps.Left = slices.Repeat([]int{3}, f.Len())
			return f.GobEncode()
		},
		" and 0 points": func() ([]byte, error) { f := *lars; f.s.Points = nil; return f.GobEncode() },
	} {
		b := get(change())(t)
		var err error
		for _, into := range []gob.GobDecoder{&OLS{}, &RidgePath{}, &Logistic{}, &LARS{}} {
			if e := into.GobDecode(b); !strings.Contains(e.Error(), "wanted a stream") {
				err = e
			}
		}
		wantErr(t, err, ErrStream, what)
	}
}

// Whatever the bytes, decoding does not panic, and neither do the results.
func FuzzGobDecode(f *testing.F) {
	var all []stored
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
