package try

import (
	"errors"
	"strconv"
	"strings"
	"testing"
)

func sum(texts ...string) (total int, err error) {
	defer Handle(&err)
	for _, text := range texts {
		total += parsed(text)
	}
	return total, nil
}

func parsed(text string) int {
	before, after := Get2(parts(text))
	return Get(strconv.Atoi(before)) + Get(strconv.Atoi(after))
}

func parts(text string) (before, after string, err error) {
	before, after, found := strings.Cut(text, "+")
	if !found {
		return "", "", errors.ErrUnsupported
	}
	return before, after, nil
}

// An error comes out as it is, and nothing is computed after it.
func TestHandle(t *testing.T) {
	if total, err := sum("1+2", "3+4"); total != 10 || err != nil {
		t.Errorf("%d, %v", total, err)
	}
	if total, err := sum("1+2", "3", "4+5"); total != 3 || err != errors.ErrUnsupported {
		t.Errorf("%d, %v", total, err)
	}
	if _, err := sum("1+x"); !errors.Is(err, strconv.ErrSyntax) {
		t.Error(err)
	}
	if err := Do(func() { Fail(errors.ErrUnsupported) }); err != errors.ErrUnsupported {
		t.Error(err)
	}
	if err := Do(func() { Check(nil) }); err != nil {
		t.Error(err)
	}
}

// A panic of another kind is none of its business.
func TestOtherPanics(t *testing.T) {
	defer func() {
		if v := recover(); v != "broken" {
			t.Errorf("recovered %v", v)
		}
	}()
	func() (err error) {
		defer Handle(&err)
		panic("broken")
	}()
	t.Error("the panic is gone")
}
