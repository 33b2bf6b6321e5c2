package frames_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/frames"
)

// Small numbers keep their digits, and missing values their mark.
func ExampleFormatCSV() {
	df := must.M1(frames.Frame(
		frames.Col("term", []string{"svi", "lcavol, squared"}),
		frames.Col("p.value", []float64{3.2e-9, math.NaN()})))
	must.M(frames.FormatCSV(os.Stdout, df, nil))
	// Output:
	// term,p.value
	// svi,3.2e-09
	// "lcavol, squared",NA
}

// What is written is read back to the bit.
func ExampleWriteCSV() {
	path := filepath.Join(must.M1(os.MkdirTemp("", "example")), "fit.csv")
	defer func() { must.M(os.RemoveAll(filepath.Dir(path))) }()
	df := must.M1(frames.Frame(frames.Col("x", []float64{1.0 / 3})))
	must.M(frames.WriteCSV(path, df, nil))
	fmt.Println(must.M1(frames.ReadCSV(path, nil)).Frame.Elem(0, 0).Float() == 1.0/3)
	// Output:
	// true
}
