package stream

import (
	"hash/fnv"
	"reflect"
	"testing"
)

// Types that encode themselves.
type one struct{ own }
type other struct{ own }

type own struct{ A int }

func (own) GobEncode() ([]byte, error) { return nil, nil }
func (*own) GobDecode([]byte) error    { return nil }

// The layout is another when a field has another name, place or type, however deep, and the
// same in every process; what gob does not store does not count, and neither do the fields of
// a type that encodes itself.
func TestLayout(t *testing.T) {
	type tree struct {
		Value    float64
		Children []*tree
		By       map[string][2]int
		Of       *one
	}
	of := func(t reflect.Type) uint64 {
		l := layout{fnv.New64a(), map[reflect.Type]int{}}
		l.add(t)
		return l.Sum64()
	}
	const pinned = 0xa5655b26e7127659
	if got := of(reflect.TypeFor[tree]()); got != pinned {
		t.Errorf("the layout %#x of another process is %#x here", uint64(pinned), got)
	}
	type inner struct{ C []int }
	is := of(reflect.TypeFor[struct {
		A float64
		B []inner
	}]())
	if same := of(reflect.TypeFor[struct {
		A float64
		b string
		B []struct{ C []int }
	}]()); same != is {
		t.Error("a field that is not stored counts, or the name of a struct")
	}
	for what, other := range map[string]reflect.Type{
		"name": reflect.TypeFor[struct {
			A float64
			D []inner
		}](),
		"order": reflect.TypeFor[struct {
			B []inner
			A float64
		}](),
		"type": reflect.TypeFor[struct {
			A float32
			B []inner
		}](),
		"name below": reflect.TypeFor[struct {
			A float64
			B []struct{ D []int }
		}](),
		"type below": reflect.TypeFor[struct {
			A float64
			B []struct{ C []uint }
		}](),
		"one more": reflect.TypeFor[struct {
			A float64
			B []inner
			C []int
		}](),
	} {
		if of(other) == is {
			t.Errorf("another %s does not count", what)
		}
	}
	if of(reflect.TypeFor[*one]()) == of(reflect.TypeFor[*other]()) {
		t.Error("the name of a type that encodes itself does not count")
	}
}
