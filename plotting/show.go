package plotting

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Bundler is a value that renders itself: *Figure, Markdown, and types of other
// packages that have a rich form in a notebook.
type Bundler interface {
	Bundle() (Bundle, error)
}

// Show displays the values, in order: in the notebook when the GoNB kernel
// runs the program, as text on standard output otherwise (see SetSink).
//
//   - figures: a *plot.Plot at 6.4 x 4 inches, a [Figure] or [InteractiveFigure]
//     as it says
//   - a result of mlreg, and whatever else is a report.Describer: its table, or the line
//     that says it (mlreg.Describe). Limits are those of 95%; mlreg.Summary and
//     other tables that take a level have others
//   - data: a dataframe.DataFrame, of more than 25 rows the first ten ([Head]);
//     a *frames.CSV with the report on the file
//   - numbers: a mat.Matrix or []float64, aligned, large ones in part
//   - a report.Table, [Markdown] and any other [Bundler]: its own output
//   - an error or Stringer: its text; strings, []string, numbers and truth
//     values: plain text
//
// A call that returns a value and an error can be the argument of Show, which
// panics if the error is not nil:
//
//	plotting.Show(plotting.Draw(labels, plotting.Points{X: x, Y: y}))
//
// Show returns nothing, so that no cell ignores an error by mistake. It panics
// with the error if a value is nil or cannot be displayed, which ends the cell
// and fails the run of the notebook. Use Display to get the error instead.
func Show(values ...any) {
	if err := Display(values...); err != nil {
		panic(err)
	}
}

// Display is Show, but returns the error. If one of the values cannot be
// displayed, it displays none. An error after other values is taken as the
// failure of the call that returned them, and is returned; if it is
// ErrInterrupted, Display also displays the result computed before the
// interruption.
func Display(values ...any) error {
	if n := len(values); n > 1 {
		switch last := values[n-1].(type) {
		case nil:
			values = values[:n-1]
		case error:
			if !errors.Is(last, ErrInterrupted) || check.IsNil(values[0]) {
				return last
			}
			values = values[:n-1]
		}
	}
	bundles := make([]Bundle, 0, len(values))
	for i, v := range values {
		b, err := bundlesOf(v)
		if err != nil {
			if len(values) > 1 {
				err = fmt.Errorf("plotting: value %d of %d: %w", i+1, len(values), err)
			}
			return err
		}
		bundles = append(bundles, b...)
	}
	return put(bundles)
}

// bundlesOf renders one value, which may have several outputs.
func bundlesOf(value any) ([]Bundle, error) {
	switch v := value.(type) {
	case *InteractiveFigure:
		if v != nil {
			return v.Bundles()
		}
	case *frames.CSV:
		if v != nil {
			head, err := frameBundle(v.Frame)
			return []Bundle{plain(v.Report.String()), head}, err
		}
	}
	b, err := bundle(value)
	return []Bundle{b}, err
}

// bundle renders one value.
func bundle(value any) (Bundle, error) {
	if check.IsNil(value) {
		return Bundle{}, fmt.Errorf("plotting: nothing to show: the value is a nil %T", value)
	}
	if b, ok := value.(Bundler); ok {
		return b.Bundle()
	}
	if t := report.Describe(value); t != nil {
		return tableBundle(t)
	}
	switch v := value.(type) {
	case *plot.Plot:
		return Grid(1, v).Bundle()
	case frames.CoefTable:
		t, err := mlreg.Summary(v, 0.95)
		if err != nil {
			return Bundle{}, err
		}
		return tableBundle(t)
	case dataframe.DataFrame:
		return frameBundle(v)
	case *dataframe.DataFrame:
		return frameBundle(*v)
	case []float64:
		return Bundle{Text: vectorText(v)}, nil
	case mat.Matrix:
		return matrixBundle(v)
	case error:
		b := plain(v.Error()) // a long line, which HTML breaks
		b.HTML = "<p>" + format.HTML(v.Error()) + "</p>"
		return b, nil
	case fmt.Stringer:
		return plain(v.String()), nil
	case string:
		return plain(v), nil
	case float64:
		return plain(format.Number(v, 6)), nil
	case []string:
		lines := make([]string, len(v))
		for i, line := range v {
			lines[i] = format.Line(line)
		}
		return plain(strings.Join(lines, "\n")), nil
	}
	switch rv := reflect.ValueOf(value); rv.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return plain(fmt.Sprint(value)), nil
	case reflect.Float32:
		return plain(format.Number(rv.Float(), 6)), nil
	case reflect.String:
		return plain(rv.String()), nil
	case reflect.Func:
		return Bundle{}, fmt.Errorf("plotting: the value is a function, a %T: call it, with () after its name", value)
	}
	return Bundle{}, fmt.Errorf("plotting: do not know how to show a %T: convert it to a table, a string or a Bundler", value)
}

// tableBundle is how a table is displayed.
func tableBundle(t *report.Table) (Bundle, error) {
	if t.Line != "" {
		return plain(t.Line), nil
	}
	if err := t.Check(); err != nil {
		return Bundle{}, fmt.Errorf("plotting: %w", err)
	}
	return Bundle{Text: t.String(), HTML: t.HTML()}, nil
}

func frameBundle(df dataframe.DataFrame) (Bundle, error) {
	t, err := Head(df, 0)
	if err != nil {
		return Bundle{}, err
	}
	return tableBundle(t)
}

// plain is a bundle of text alone; an empty text is shown as an empty line.
func plain(s string) Bundle {
	return Bundle{Text: cmp.Or(s, "\n")}
}

// Markdown is text that a notebook typesets: headings, lists, and equations
// between dollar signs. It is not empty.
//
//	plotting.Show(plotting.Markdown(`$\hat w = (X^\top X)^{-1} X^\top y$`))
type Markdown string

// Bundle implements Bundler.
func (m Markdown) Bundle() (Bundle, error) {
	if strings.TrimSpace(string(m)) == "" {
		return Bundle{}, errors.New("plotting: the Markdown text is empty")
	}
	return Bundle{Text: string(m), Markdown: string(m)}, nil
}
