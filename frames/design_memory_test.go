package frames

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/internal/heap"
)

// A design, with itself, takes at most 1.3 times the memory of its data frame on the way.
func TestDesignMemory(t *testing.T) {
	if !heap.Alone(t) {
		return
	}
	const n, p = 20_000, 30
	var df dataframe.DataFrame
	input := heap.Growth(func() any {
		rng := rand.New(rand.NewPCG(1, 2))
		var columns []series.Series
		for j := range p {
			v := make([]float64, n)
			for i := range v {
				v[i] = rng.NormFloat64()
			}
			columns = append(columns, series.New(v, series.Float, fmt.Sprintf("x%d", j)))
		}
		df = dataframe.New(columns...)
		return df
	})
	most := heap.Peak(func() {
		if _, err := Design(df, "x0 ~ ."); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("%.3f of the frame", most/input)
	if most > 1.3*input {
		t.Errorf("%.1f MB beside a frame of %.1f MB", most/1e6, input/1e6)
	}
}
