package plotting

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
)

type stringer struct{}

func (stringer) String() string { return "a stringer" }

func TestShowKeepsOrder(t *testing.T) {
	got := record(t)
	table := get(report.NewTable("table", report.IntColumn("n", 1)))(t)
	Show("one", table, Markdown("two"), []float64{3}, New("four", "", ""), stringer{})
	Show(errors.New("six"))
	Show(7, true, 0.5)
	want := []string{"one", "table", "two", "[3]", "Figure: four", "a stringer", "six", "7", "true", "0.5"}
	if len(*got) != len(want) {
		t.Fatalf("%d outputs, want %d", len(*got), len(want))
	}
	for i, b := range *got {
		if !strings.HasPrefix(b.Text, want[i]) {
			t.Errorf("output %d is %q, want %q", i, b.Text, want[i])
		}
	}
}

// Every value has a plain form, and at most one rich one: of HTML and PNG in
// one output a notebook shows the HTML only.
func TestShowForms(t *testing.T) {
	got := record(t)
	d, fit := lineFit(t)
	table := get(report.NewTable("", report.IntColumn("n", 1)))(t)
	df := dataframe.LoadRecords([][]string{{"a"}, {"1"}})
	Show(New("t", "x", "y"), fit, table, df, &df, d.X, mat.NewVecDense(2, nil), Markdown("$x$"), "s", "")
	Show(errors.New("not < 0"))
	forms := ""
	for _, b := range *got {
		switch {
		case b.Text == "":
			t.Errorf("an output has no text: %+v", b)
		case len(b.PNG) > 0:
			forms += "P"
		case b.HTML != "":
			forms += "H"
		case b.Markdown != "":
			forms += "M"
		default:
			forms += "t"
		}
	}
	if forms != "PHHHHHtMttH" {
		t.Errorf("forms %s", forms)
	}
	if b := (*got)[0]; b.Width != 614 || b.Height != 384 {
		t.Errorf("a figure is shown at %d x %d pixels", b.Width, b.Height)
	}
}

func TestDisplayPassesErrorsOn(t *testing.T) {
	got := record(t)
	if err := Display(Draw(Labels{}, Points{X: []float64{1}, Y: []float64{1, 2}})); !errors.Is(err, mlreg.ErrShape) {
		t.Errorf("error %v", err)
	}
	if err := Display("shown?", struct{}{}); err == nil || !strings.Contains(err.Error(), "value 2 of 2") {
		t.Errorf("error %v", err)
	}
	if len(*got) != 0 {
		t.Errorf("something was displayed: %v", *got)
	}
	if err := Display(Draw(Labels{Title: "good"}, Points{X: []float64{1}, Y: []float64{1}})); err != nil || len(*got) != 1 {
		t.Errorf("error %v, %d outputs", err, len(*got))
	}
}

func TestDisplayRefuses(t *testing.T) {
	record(t)
	var none *plot.Plot
	var fit *mlreg.OLS
	for name, v := range map[string]any{
		"nil": nil, "nil plot": none, "nil fit": fit, "struct": struct{}{}, "func": func() {}, "empty markdown": Markdown(" "),
		"empty matrix": &mat.Dense{}, "empty table": &report.Table{}, "empty figure": &Figure{}, "bad frame": dataframe.DataFrame{Err: io.EOF},
	} {
		if err := Display(v); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestShowPanics(t *testing.T) {
	record(t)
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, mlreg.ErrShape) {
			t.Errorf("panic with %v", err)
		}
	}()
	Show(report.NewTable("t", report.IntColumn("a", 1), report.IntColumn("b")))
}

func TestSinkErrorIsReturned(t *testing.T) {
	defer SetSink(SetSink(TextSink{failing{}}))
	if err := Display("x"); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestBundleCheck(t *testing.T) {
	for _, b := range []Bundle{{}, {HTML: "x"}, {Text: "x", HTML: "x", PNG: []byte{1}}, {Text: "x", HTML: "x", Markdown: "x"}} {
		if b.check() == nil {
			t.Errorf("%+v passes", b)
		}
	}
}
