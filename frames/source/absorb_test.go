package source

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/mlreg"
)

// A factor is absorbed from a file in blocks as from its frame, with 3,000 levels, also of blocks whose
// memory is used again.
func TestAbsorbFromAFile(t *testing.T) {
	var b strings.Builder
	b.WriteString("y,x,z,k,zone,w\n")
	for i := range 100_000 {
		zone := fmt.Sprintf("z%d", i*i%3001)
		if i%997 == 0 {
			zone = "NA"
		}
		fmt.Fprintf(&b, "%d,%d,%d,%c,%s,%d\n", i%100+i*i%3001, i*7%101, i*i%53, 'a'+i%3, zone, 1+i%4)
	}
	path, s := write(t, b.String())
	ctx := context.Background()
	const formula = "y ~ x + z + k | zone"
	d, err := s.Design(ctx, formula, &DesignSettings{Weights: "w"})
	if err != nil {
		t.Fatal(err)
	}
	df, err := frames.ReadCSV(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	inMemory, err := frames.Design(df.Frame, formula, &frames.DesignSettings{Weights: "w"})
	if err != nil {
		t.Fatal(err)
	}
	fit := func(rows mlreg.RowBlocks) (f, robust, clustered *mlreg.Absorbed) {
		f, err := mlreg.FitAbsorbed(rows)
		if err == nil {
			robust, err = f.Robust(rows, mlreg.HC1)
		}
		if err == nil {
			clustered, err = f.Clustered(rows, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		return f, robust, clustered
	}
	f, robust, clustered := fit(d)
	want, wantRobust, wantClustered := fit(inMemory)
	expect.NearAll(t, "coefficients", f.Coef(), want.Coef(), 1e-10)
	expect.NearAll(t, "standard errors", f.StdErr(), want.StdErr(), 1e-10)
	expect.NearAll(t, "robust errors", robust.StdErr(), wantRobust.StdErr(), 1e-10)
	expect.NearAll(t, "clustered errors", clustered.StdErr(), wantClustered.StdErr(), 1e-10)
	if f.NObs() != inMemory.NObs() || f.DoF() != want.DoF() || f.Omitted() != 101 {
		t.Errorf("%d rows and %v parameters, %d omitted", f.NObs(), f.DoF(), f.Omitted())
	}
	predicted, err := s.WithPredictions(ctx, f, "p")
	if err != nil {
		t.Fatal(err)
	}
	head, err := predicted.Head(ctx, 50)
	if err != nil {
		t.Fatal(err)
	}
	yhat, err := frames.Predict(want, df.Frame.Subset(seq(50)))
	if err != nil {
		t.Fatal(err)
	}
	expect.NearAll(t, "predictions", head.Col("p").Float(), yhat, 1e-9)

	if d.Route() != Streamed || !strings.Contains(d.String(), "| zone") {
		t.Errorf("the design is\n%v", d)
	}
	_, err = mlreg.FitOLS(d, nil)
	expect.Error(t, "FitOLS", err, mlreg.ErrSetting, `"zone"`, "FitAbsorbed")
	_, err = s.Design(ctx, formula, &DesignSettings{Route: Pushed})
	expect.Error(t, "pushed down", err, frames.ErrSetting, "computes no sums")
	_, err = s.Design(ctx, "y ~ x | region")
	expect.Error(t, "no column", err, frames.ErrNoColumn, "region")
}

func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
