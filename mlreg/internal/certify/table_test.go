package certify

import (
	"encoding/csv"
	"fmt"
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

// The widths that a number of nodes and draws give, and the time of the processor, of the problems named:
// REGBOOK_CERTIFY=table REGBOOK_CERTIFY_ARGS="ar 500 60 0.9 half 20000 2000000".
func TestTable(t *testing.T) {
	if os.Getenv("REGBOOK_CERTIFY") != "table" {
		t.Skip("takes minutes; REGBOOK_CERTIFY=table runs it")
	}
	args := strings.Fields(os.Getenv("REGBOOK_CERTIFY_ARGS"))
	number := func(i int) int { return int(get(strconv.ParseFloat(args[i], 64))(t)) }
	var p *Problem
	if args[0] == "ar" {
		c := design{n: number(1), d: number(2), neighbors: get(strconv.ParseFloat(args[3], 64))(t), score: args[7], prior: args[4], seed: 1}
		p = c.problem()
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
