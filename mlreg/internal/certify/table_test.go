package certify

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// userSeconds is the time of the processor that the process has taken.
func userSeconds() float64 {
	var r syscall.Rusage
	if syscall.Getrusage(0, &r) != nil {
		return 0
	}
	return float64(r.Utime.Sec) + float64(r.Utime.Usec)*1e-6
}

// expanded reads the first columns of a data set, with all products, and squares of those with more than two values, of the standardized columns; the response
// is the column after them.
func expanded(t *testing.T, file string, columns int) (x [][]float64, y []float64) {
	f := get(os.Open("../../../datasets/data/" + file))(t)
	defer f.Close()
	rows := get(csv.NewReader(f).ReadAll())(t)
	all := make([][]float64, columns+1)
	for _, row := range rows[1:] {
		for j := range all {
			all[j] = append(all[j], get(strconv.ParseFloat(row[j], 64))(t))
		}
	}
	for i := range columns {
		values := make(map[float64]bool)
		for _, v := range all[i] {
			values[v] = true
		}
		standardize(all[i])
		for j := range i + 1 {
			if j == i && len(values) <= 2 {
				continue
			}
			product := make([]float64, len(all[i]))
			for r := range product {
				product[r] = all[i][r] * all[j][r]
			}
			defer func() { x = append(x, product) }()
		}
	}
	standardize(all[columns])
	for i := range columns {
		defer func() { x = append(x, all[i]) }()
	}
	return x, all[columns]
}

// signals draws an autoregressive design, and a response of as many terms as effects, of falling size and alternating sign.
func signals(n, d int, neighbors float64, effects int, largest float64, seed uint64) (x [][]float64, y []float64) {
	r := rand.New(rand.NewPCG(seed, 7))
	x, y = make([][]float64, d), make([]float64, n)
	for j := range x {
		x[j] = make([]float64, n)
	}
	for i := range n {
		for j := range d {
			e := r.NormFloat64()
			if j > 0 {
				e = neighbors*x[j-1][i] + math.Sqrt(1-neighbors*neighbors)*e
			}
			x[j][i] = e
		}
		y[i] = r.NormFloat64()
		for k := range effects {
			sign := float64(1 - k%2*2)
			y[i] += sign * largest * (1 - 0.6*float64(k)/float64(effects)) * x[(k*d+d/2)/effects][i]
		}
	}
	for j := range x {
		standardize(x[j])
	}
	standardize(y)
	return x, y
}

// The widths that a number of nodes and draws give, and the time of the processor, of the problems named:
// REGBOOK_CERTIFY=table REGBOOK_CERTIFY_ARGS="ar 500 60 0.9 half 20000 2000000 g 8 0.5 2", the last three being of signals, or
// "diabetes.csv 10 - - half 20000 2000000 g".
func TestTable(t *testing.T) {
	if os.Getenv("REGBOOK_CERTIFY") != "table" {
		t.Skip("takes minutes; REGBOOK_CERTIFY=table runs it")
	}
	args := strings.Fields(os.Getenv("REGBOOK_CERTIFY_ARGS"))
	number := func(i int) int { return int(get(strconv.ParseFloat(args[i], 64))(t)) }
	var p *Problem
	if args[0] == "ar" {
		x, y := signals(number(1), number(2), get(strconv.ParseFloat(args[3], 64))(t), number(8), get(strconv.ParseFloat(args[9], 64))(t), uint64(number(10)))
		p = design{n: number(1), score: args[7], prior: args[4]}.of(x, y)
	} else {
		x, y := expanded(t, args[0], number(1))
		for j := range x {
			standardize(x[j])
		}
		p = design{n: len(y), score: args[7], prior: args[4]}.of(x, y)
	}
	last := 0.0
	r := get(Run(p, rand.NewPCG(1, 2), Settings{Nodes: number(5), Draws: number(6), Progress: func(done, total float64) error {
		if done >= float64(number(5)) && last == 0 {
			last = userSeconds()
		}
		return nil
	}}))(t)
	var worst, certain float64
	for k, in := range r.Inclusion {
		worst, certain = max(worst, in.Width()), max(certain, r.CertainInclusion[k].Width())
	}
	fmt.Printf("%v d=%d: status %d comps %d nodes %d open %d leaves %d: %.1f s; draws %d: %.1f s; acceptance %.3g exact %.3g; log sum %.5f width %.5f (certain %.3f), inclusion %.5f (certain %.3f), rounding %.2g largest %.5f\n",
		args, p.Columns, r.Status, r.Components, r.Nodes, r.Open, r.Leaves, last, r.Draws, userSeconds()-last, r.Acceptance, r.Exact,
		r.Normalizer.Estimate, r.Normalizer.Width(), r.CertainNormalizer.Width(), worst, certain, r.Rounding, r.Largest)
}
