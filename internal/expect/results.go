package expect

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// SurvivesGob fails unless a result that goes through gob says what it said before, and is stored as
// the same bytes again.
func SurvivesGob(t testing.TB, v fmt.Stringer) {
	t.Helper()
	var buf, again bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(v); err != nil {
		t.Errorf("%T: %v", v, err)
		return
	}
	stored := slices.Clone(buf.Bytes())
	back := reflect.New(reflect.TypeOf(v))
	if err := gob.NewDecoder(&buf).DecodeValue(back); err != nil {
		t.Errorf("%T: %v", v, err)
		return
	}
	got := back.Elem().Interface().(fmt.Stringer)
	if err := gob.NewEncoder(&again).Encode(got); err != nil || !bytes.Equal(again.Bytes(), stored) || got.String() != v.String() {
		t.Errorf("%T after gob: %v, %v, before %v", v, got, err, v)
	}
}

// RefusesDamage fails unless a stream of a result with a changed byte, whichever it is, is the
// sentinel's error, and leaves nothing of it.
func RefusesDamage(t testing.TB, v gob.GobEncoder, sentinel error) {
	t.Helper()
	own, err := v.GobEncode()
	if err != nil {
		t.Fatal(err)
	}
	for at := range own {
		damaged := slices.Clone(own)
		damaged[at] ^= 4
		into := reflect.New(reflect.TypeOf(v).Elem())
		Error(t, "damage", into.Interface().(gob.GobDecoder).GobDecode(damaged), sentinel)
		if !into.Elem().IsZero() {
			t.Fatalf("damage at byte %d left something in %T", at, v)
		}
	}
}

// Told is what a Progress is.
type Told = func(done, total float64) error

// TellsProgress fails unless what runs reports all of its work, in order, and has a result.
func TellsProgress(t testing.TB, name string, run func(Told) (any, error)) {
	t.Helper()
	last, total := 0.0, 0.0
	result, err := run(func(done, of float64) error {
		if !(done >= last && of >= done) {
			t.Errorf("%s: told %v of %v after %v", name, done, of, last)
		}
		last, total = done, of
		return nil
	})
	if err != nil || result == nil {
		t.Errorf("%s: %v", name, err)
	}
	if last != total || last == 0 {
		t.Errorf("%s: ends with %v of %v", name, last, total)
	}
}

// EndsByProgress fails unless what runs ends with the first error of its Progress: at the end, at
// once, and between.
func EndsByProgress(t testing.TB, name string, run func(Told) (any, error)) {
	t.Helper()
	for _, share := range []float64{1, 0, 0.3, 0.9} {
		stop, stopped := errors.New("stop"), false
		_, err := run(func(done, of float64) error {
			if stopped {
				t.Errorf("%s: told %v of %v after the error", name, done, of)
			}
			if done < share*of {
				return nil
			}
			stopped = true
			return stop
		})
		if !errors.Is(err, stop) {
			t.Errorf("%s: stopped from %v on: %v", name, share, err)
		}
	}
}
