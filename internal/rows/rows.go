// Package rows has designs that tests of the packages beside mlreg fit.
package rows

import (
	"encoding/csv"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
)

// Random returns rows of p standard normal columns that share a common part, and a response that
// depends on them.
func Random(t testing.TB, seed uint64, n, p int) *mlreg.Design {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 1))
	x, y := mat.NewDense(n, p, nil), make([]float64, n)
	for i := range n {
		common := rnd.NormFloat64()
		for j := range p {
			v := common + rnd.NormFloat64()
			x.Set(i, j, v)
			y[i] += v * float64(j%3-1)
		}
		y[i] += 2 + rnd.NormFloat64()
	}
	return fatal.On(mlreg.NewDesign(x, y))(t)
}

// Classes returns rows of two columns, the first of which tells "no" from "yes" up to noise.
func Classes(t testing.TB, seed uint64, n int) *mlreg.Design {
	t.Helper()
	d := Random(t, seed, n, 2)
	rnd := rand.New(rand.NewPCG(seed, 9))
	for i := range d.Y {
		d.Y[i] = 0
		if d.X.At(i, 0)+rnd.NormFloat64() > 0 {
			d.Y[i] = 1
		}
	}
	d.Classes = []string{"no", "yes"}
	return d
}

// CSV returns the rows of a file.
func CSV(t testing.TB, file, response string, terms ...string) *mlreg.Design {
	t.Helper()
	columns := expect.CSV(t, file, append(slices.Clone(terms), response)...)
	x := mat.NewDense(len(columns[0]), len(terms), nil)
	for j := range terms {
		x.SetCol(j, columns[j])
	}
	d := fatal.On(mlreg.NewDesign(x, columns[len(terms)], terms...))(t)
	d.Response = response
	return d
}

// Prostate returns the training and the test rows of the prostate data, to a test of a package in mlreg.
func Prostate(t testing.TB) (train, test *mlreg.Design) {
	t.Helper()
	const file = "../testdata/prostate.csv"
	d := CSV(t, file, "lpsa", "lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45")
	records := fatal.On(csv.NewReader(fatal.On(os.Open(file))(t)).ReadAll())(t)
	at := slices.Index(records[0], "train")
	var mask []bool
	for _, record := range records[1:] {
		mask = append(mask, record[at] == "T")
	}
	train, test, err := d.Split(mask)
	if err != nil {
		t.Fatal(err)
	}
	return train, test
}

// Changed is a copy of a design, with weights of one, and a change.
func Changed(d *mlreg.Design, change func(d *mlreg.Design)) *mlreg.Design {
	c := *d
	c.X, c.Y, c.Names = mat.DenseCopyOf(d.X), slices.Clone(d.Y), slices.Clone(d.Names)
	c.Weights = slices.Repeat([]float64{1}, len(d.Y))
	change(&c)
	return &c
}

// Noise returns the designs of mlreg/testdata/noise.json, by their names, to a test of a package in mlreg, and reads
// what else the file has.
func Noise(t testing.TB, into any) map[string]*mlreg.Design {
	t.Helper()
	const file = "../testdata/noise.json"
	var sets struct {
		Sets map[string]struct {
			Y, W  []float64
			X     [][]float64
			Names []string
		}
	}
	expect.JSON(t, file, &sets)
	expect.JSON(t, file, into)
	designs := make(map[string]*mlreg.Design)
	for name, s := range sets.Sets {
		x := mat.NewDense(len(s.Y), len(s.Names), nil)
		for i, row := range s.X {
			x.SetRow(i, row)
		}
		designs[name] = fatal.On(mlreg.NewDesign(x, s.Y, s.Names...))(t)
		designs[name].Weights = s.W
	}
	if len(designs) != 4 {
		t.Fatalf("%d sets in %s", len(designs), file)
	}
	return designs
}
