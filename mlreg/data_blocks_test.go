package mlreg

import (
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/internal/heap"
	"github.com/regbook/regbook/mlreg/internal/algebra"
)

// generated makes n rows of p columns anew in every pass, in blocks of a size.
func generated(n, p, size int) RowBlocksFunc {
	names := make([]string, p)
	for j := range names {
		names[j] = "x" + string(rune('a'+j))
	}
	return func(f func(*Design) error) error {
		rnd := rand.New(rand.NewPCG(4, 4))
		block := &Design{X: algebra.NewDense(size, p), Y: make([]float64, size), Names: names, Response: "y"}
		for range n / size {
			for i := range size {
				eta := 0.0
				for j, row := 0, block.X.RawRowView(i); j < p; j++ {
					row[j] = rnd.NormFloat64()
					eta += row[j] / float64(p)
				}
				block.Y[i] = 0
				if rnd.Float64() < sigmoid(eta) {
					block.Y[i] = 1
				}
			}
			if err := f(block); err != nil {
				return err
			}
		}
		return nil
	}
}

// What passes take of memory is blocks and matrices of order p, whatever the number of rows.
func TestMemoryOfPasses(t *testing.T) {
	if !heap.Alone(t) {
		return
	}
	const n, p, size = 200_000, 4, 5000
	const limit = 1e6 // the rows are 8 MB
	neverGathered(t)
	rows := generated(n, p, size)
	ols := get(FitOLS(rows, nil))(t)
	if ols.NObs() != n {
		t.Fatalf("%d rows", ols.NObs())
	}
	for what, fit := range map[string]func() error{
		"moments":  func() error { _, err := MomentsOfBlocks(rows); return err },
		"logistic": func() error { _, err := FitLogistic(rows, nil); return err },
		"refined":  func() error { _, err := RefineOLS(rows, nil); return err },
		"robust":   func() error { _, err := ols.Robust(rows, HC3); return err },
		"error":    func() error { _, err := TestError(ols, rows, SquaredLoss); return err },
	} {
		var err error
		most := heap.Peak(func() { err = fit() })
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		t.Logf("%s: %.1f MB beside blocks of %.1f MB", what, most/1e6, 8*size*(p+1)/1e6)
		if most > limit {
			t.Errorf("%s: %.1f MB", what, most/1e6)
		}
	}
}

// An error in the middle of a pass ends it, and blocks of other terms are refused.
func TestMomentsOfBlocksBadInput(t *testing.T) {
	d := correlatedDesign(t, 3, 40, 2, 0.6, 1)
	other := get(d.Select("x2", "x1"))(t)
	wantError(t, "nil", errorOf(MomentsOfBlocks(nil)), ErrNoData, "nil")
	wantError(t, "no block", errorOf(MomentsOfBlocks(RowBlocksFunc(func(func(*Design) error) error { return nil }))), ErrNoData, "no block")
	wantError(t, "other terms", errorOf(MomentsOfBlocks(RowBlocksFunc(func(f func(*Design) error) error {
		if err := f(d); err != nil {
			return err
		}
		return f(other)
	}))), ErrShape, "x2")
	calls := 0
	wantError(t, "middle", errorOf(MomentsOfBlocks(RowBlocksFunc(func(f func(*Design) error) error {
		calls++
		if err := f(d); err != nil {
			return err
		}
		return ErrImpossible
	}))), ErrImpossible, "")
	wantError(t, "nil visit", d.EachBlock(nil), ErrNoData, "nil")
	wantError(t, "nil design", (*Design)(nil).EachBlock(func(*Design) error { return nil }), ErrNoData, "nil")
	whole, parts := get(d.Moments())(t), get(MomentsOfBlocks(blocksOf(d, 7)))(t)
	nearAll(t, "sums of products", parts.SXY(), whole.SXY(), 1e-12)
	if get(MomentsOfBlocks(d))(t).SYY() != whole.SYY() {
		t.Error("a design is not its moments to the bit")
	}
}
