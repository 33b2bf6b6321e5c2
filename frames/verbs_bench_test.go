package frames

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"syscall"
	"testing"

	"github.com/go-gota/gota/dataframe"
)

func benchFrame(b *testing.B, n int) dataframe.DataFrame {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	k, x, y, g := make([]int, n), make([]float64, n), make([]float64, n), make([]string, n)
	for i := range k {
		k[i], x[i], y[i] = rng.IntN(1000), rng.NormFloat64(), rng.NormFloat64()
		g[i] = fmt.Sprint("group ", rng.IntN(1000))
	}
	df, err := Frame(Col("k", k), Col("x", x), Col("y", y), Col("g", g))
	if err != nil {
		b.Fatal(err)
	}
	return df
}

// processorTime returns the seconds of processor time that the process used.
func processorTime(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func BenchmarkVerbs(b *testing.B) {
	const n = 1_000_000
	df := benchFrame(b, n)
	id := make([]int, n)
	for i, v := range rand.New(rand.NewPCG(3, 4)).Perm(n) {
		id[i] = v
	}
	left, err := With(df, "id = k")
	if err != nil {
		b.Fatal(err)
	}
	keys, err := Frame(Col("id", id), Col("z", id))
	if err != nil {
		b.Fatal(err)
	}
	left, err = Frame(Col("id", id), Col("x", df.Col("x").Float()))
	if err != nil {
		b.Fatal(err)
	}
	small, err := Frame(Col("k", allRows(1000)), Col("w", allRows(1000)))
	if err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct {
		name string
		run  func() (any, error)
	}{
		{"where", func() (any, error) { return Where(df, "x > 0.5 & k < 500") }},
		{"with", func() (any, error) { return With(df, "z = x/y + 1") }},
		{"sort", func() (any, error) { return Sort(df, "x") }},
		{"sort2", func() (any, error) { return Sort(df, "k", "-x") }},
		{"group", func() (any, error) { return GroupBy(df, "k").Summarise("mean(x)", "sd(x)", "median(y)") }},
		{"grouptext", func() (any, error) { return GroupBy(df, "g").Summarise("mean(x)", "sd(x)", "median(y)") }},
		{"join", func() (any, error) { return Join(left, keys, InnerJoin, "id") }},
		{"joinsmall", func() (any, error) { return Join(df, small, LeftJoin, "k") }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			best := math.Inf(1)
			for range b.N {
				runtime.GC()
				start := processorTime(b)
				if _, err := bench.run(); err != nil {
					b.Fatal(err)
				}
				best = math.Min(best, processorTime(b)-start)
			}
			b.ReportMetric(best*1000, "best-cpu-ms")
		})
	}
}
