package ours

import (
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

// table returns the data frame of the tasks on verbs: a key k of 1,000 values, its
// text g, the first two columns x and y, and a number id of the row, in an order
// that has nothing to do with theirs.
func table(d *mlreg.Design) (dataframe.DataFrame, error) {
	n := d.NObs()
	k, id, g := make([]int, n), make([]int, n), make([]string, n)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = d.X.At(i, 0), d.X.At(i, 1)
		k[i] = int(math.Abs(x[i])*1e6) % 1000
		g[i] = fmt.Sprint("group ", k[i])
		id[i] = i * 7919 % n // n has no factor 7919
	}
	return frames.Frame(frames.Col("k", k), frames.Col("g", g), frames.Col("x", x), frames.Col("y", y), frames.Col("id", id))
}

// onTable is a task on that frame; the answer is the rows of the result and every
// hundredth part of its column.
func onTable(column string, do func(df dataframe.DataFrame) (dataframe.DataFrame, error)) Task {
	return func(d *mlreg.Design) func() []float64 {
		df := try.Get(table(d))
		return func() []float64 {
			out := try.Get(do(df))
			answer := []float64{float64(out.Nrow())}
			col := -1
			for j, name := range out.Names() {
				if name == column {
					col = j
				}
			}
			for part := range 100 {
				answer = append(answer, out.Elem(part*(out.Nrow()-1)/99, col).Float())
			}
			return answer
		}
	}
}

var (
	whereTask = onTable("y", func(df dataframe.DataFrame) (dataframe.DataFrame, error) {
		return frames.Where(df, "x > 0.5 & k < 500")
	})
	sortTask = onTable("y", func(df dataframe.DataFrame) (dataframe.DataFrame, error) {
		return frames.Sort(df, "x")
	})
	groupTask = onTable("a", func(df dataframe.DataFrame) (dataframe.DataFrame, error) {
		return frames.GroupBy(df, "k").Summarise("a = mean(x)", "b = sd(y)", "c = median(y)")
	})
	groupTextTask = onTable("c", func(df dataframe.DataFrame) (dataframe.DataFrame, error) {
		return frames.GroupBy(df, "g").Summarise("a = mean(x)", "b = sd(y)", "c = median(y)")
	})
)

// joinTask joins the frame with another of as many rows, whose keys are in another
// order.
func joinTask(d *mlreg.Design) func() []float64 {
	n := d.NObs()
	id, z := make([]int, n), make([]float64, n)
	for i := range n {
		id[i], z[i] = n-1-i, d.Y[i]
	}
	right := try.Get(frames.Frame(frames.Col("id", id), frames.Col("z", z)))
	return onTable("z", func(df dataframe.DataFrame) (dataframe.DataFrame, error) {
		j, err := frames.Join(df, right, frames.InnerJoin, "id")
		if err != nil {
			return dataframe.DataFrame{}, err
		}
		return j.Frame, nil
	})(d)
}
