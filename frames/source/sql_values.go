package source

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/frames/source/internal/vectors"
)

// This file takes values as drivers return them.

// appendValue appends a value that the driver returned.
func appendValue(to *table.Column, c *sqlColumn, v any) error {
	missing := v == nil
	switch c.Kind {
	case FloatKind, WholeKind:
		x, low := math.NaN(), 0.0
		if !missing {
			var ok bool
			if x, low, ok = pairOf(v); !ok {
				return fmt.Errorf("%v (%T) is no number", v, v)
			}
			missing = math.IsNaN(x)
		}
		to.AppendNumber(x, low)
	case TruthKind:
		x, err := truthOf(v)
		if err != nil {
			return err
		}
		to.Num = append(to.Num, x)
	default:
		text, err := "", error(nil)
		if !missing {
			text, err = c.textOf(v)
		}
		if err != nil {
			return err
		}
		to.Text = append(to.Text, text)
	}
	to.Missing = append(to.Missing, missing)
	if missing {
		to.Count++
	}
	return nil
}

// truthOf is 1 of what is true, 0 of what is not, and NaN of NULL.
func truthOf(v any) (float64, error) {
	if v == nil {
		return math.NaN(), nil
	}
	x, ok := numberOf(v)
	switch {
	case !ok:
		return 0, fmt.Errorf("%v (%T) is not true or false", v, v)
	case x != 0:
		return 1, nil
	}
	return 0, nil
}

// textOf is the text of a column of texts or dates.
func (c *sqlColumn) textOf(v any) (string, error) {
	t, date := v.(time.Time)
	if date && c.Kind != TextKind {
		return dateText(t.UTC(), c.Kind), nil
	}
	text, ok := textOf(v)
	switch {
	case ok:
		return text, nil
	case c.Kind == TextKind:
		return "", fmt.Errorf("%v (%T) is no text", v, v)
	}
	return "", fmt.Errorf("%v (%T) is no date", v, v)
}

// appendVector appends rows of a column that an engine returned.
func appendVector(to *table.Column, c *sqlColumn, part *vectors.Column, from, end int) {
	at := len(to.Missing)
	to.Missing = to.Missing[:at+end-from]
	missing := to.Missing[at:]
	if part.Missing == nil {
		clear(missing)
	} else {
		copy(missing, part.Missing[from:end])
	}
	switch {
	case part.Num != nil:
		to.Num = append(to.Num, part.Num[from:end]...)
	case part.Int != nil:
		for _, v := range part.Int[from:end] {
			to.AppendNumber(table.SplitInt(v))
		}
	case part.Uint != nil:
		for _, v := range part.Uint[from:end] {
			to.AppendNumber(table.SplitUint(v))
		}
	case part.Bool != nil:
		for _, v := range part.Bool[from:end] {
			x := 0.0
			if v {
				x = 1
			}
			to.Num = append(to.Num, x)
		}
	case part.Text != nil:
		to.Text = append(to.Text, part.Text[from:end]...)
	default:
		for i, v := range part.Time[from:end] {
			text := ""
			if !missing[i] {
				text = dateText(v, c.Kind)
			}
			to.Text = append(to.Text, text)
		}
	}
	for i, none := range missing {
		switch {
		case to.Num == nil:
		case none:
			to.Set(at+i, math.NaN(), 0)
		case math.IsNaN(to.Num[at+i]):
			missing[i], none = true, true
		}
		if none {
			to.Count++
		}
	}
}

// dateText writes a date as package frames reads it.
func dateText(t time.Time, kind Kind) string {
	if kind == DateKind {
		return t.Format("2006-01-02")
	}
	return t.Format("2006-01-02 15:04:05.999999")
}

// numberOrNaN is numberOf for what is NULL where there is none.
func numberOrNaN(v any) float64 {
	if x, ok := numberOf(v); ok {
		return x
	}
	return math.NaN()
}

// numberOf returns a number that a driver returned.
func numberOf(v any) (float64, bool) {
	x, _, ok := pairOf(v)
	return x, ok
}

// pairOf returns a number that a driver returned, a whole one beyond 2^53 with what rounding
// took from it.
func pairOf(v any) (num, low float64, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, 0, true
	case int64:
		num, low = table.SplitInt(v)
		return num, low, true
	case bool:
		if v {
			return 1, 0, true
		}
		return 0, 0, true
	case []byte:
		return pairOf(string(v))
	case string:
		if num, low, ok = table.SplitText(v); ok {
			return num, low, true
		}
		x, err := strconv.ParseFloat(v, 64)
		return x, 0, err == nil
	case fmt.Stringer: // *big.Int
		return pairOf(v.String())
	}
	switch of := reflect.ValueOf(v); {
	case of.CanInt():
		num, low = table.SplitInt(of.Int())
	case of.CanUint():
		num, low = table.SplitUint(of.Uint())
	case of.CanFloat():
		num = of.Float()
	default:
		return 0, 0, false
	}
	return num, low, true
}

// textOf returns a text that a driver returned.
func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []byte:
		return string(v), true
	case fmt.Stringer:
		return v.String(), true
	}
	return "", false
}
