package ours

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

// CertifiedProblem is a posterior over too many models to sum, by Zellner's g = n and
// a prior of 1/2 for every term, and what it is to take.
type CertifiedProblem struct {
	Title            string
	Design           func() (*mlreg.Design, error)
	Nodes, Proposals int
	Seconds          float64 // on two idle processors
	Width            float64 // of the widest interval of an inclusion probability
}

// CertifiedProblems are those that have targets.
var CertifiedProblems = []CertifiedProblem{
	{"diabetes, 442 x 64", diabetesQuadratic, 250_000, 32_000_000, 60, 0.02},
	{"correlation 0.9 of neighbors, 500 x 60", signals(500, 60, 0.9, 8, 0.5, 2), 150_000, 20_000_000, 30, 0.006},
	{"correlation 0.1 of neighbors, 1,000 x 100", signals(1000, 100, 0.1, 10, 0.2, 6), 20_000, 12_000_000, 20, 0.002},
	{"correlation 0.5 of neighbors, 100 x 60", signals(100, 60, 0.5, 6, 0.6, 4), 250_000, 30_000_000, 60, 0.009},
}

func diabetesQuadratic() (*mlreg.Design, error) {
	return frames.Design(datasets.DiabetesQuadratic(), "progression ~ .")
}

// signals draws Gaussian columns in an autoregression, and a response of as many
// of them as effects, of falling size and alternating sign, with noise of variance 1.
func signals(n, d int, neighbors float64, effects int, largest float64, seed uint64) func() (*mlreg.Design, error) {
	return func() (*mlreg.Design, error) {
		r := rand.New(rand.NewPCG(seed, 7))
		x, y := mat.NewDense(n, d, nil), make([]float64, n)
		for i := range n {
			for j := range d {
				e := r.NormFloat64()
				if j > 0 {
					e = neighbors*x.At(i, j-1) + math.Sqrt(1-neighbors*neighbors)*e
				}
				x.Set(i, j, e)
			}
			y[i] = r.NormFloat64()
			for k := range effects {
				sign := float64(1 - k%2*2)
				y[i] += sign * largest * (1 - 0.6*float64(k)/float64(effects)) * x.At(i, (k*d+d/2)/effects)
			}
		}
		return mlreg.NewDesign(x, y)
	}
}

// Certified is what a problem took and gave.
type Certified struct {
	N, P       int
	Took       float64 // seconds
	Widest     float64
	Acceptance float64
}

// CertifyOne works on the problem of that number with the share of its nodes and proposals, writes the data to a file for peers, and prints
// a Certified as JSON.
func CertifyOne(args []string, out io.Writer) (err error) {
	defer try.Handle(&err)
	if len(args) != 3 {
		return fmt.Errorf("want problem, share and data, got %q", args)
	}
	k, err := strconv.Atoi(args[0])
	if err != nil || k < 0 || k >= len(CertifiedProblems) {
		return fmt.Errorf("no problem %q", args[0])
	}
	share := try.Get(strconv.ParseFloat(args[1], 64))
	p := CertifiedProblems[k]
	d := try.Get(p.Design())
	try.Check(WriteFloats(args[2], rowsThenResponse(d)))
	start := time.Now()
	c := try.Get(mlreg.CertifyModels(d, mlreg.ZellnerG{}, rand.NewPCG(1, 2), &mlreg.CertifySettings{
		Nodes: int(share * float64(p.Nodes)), Proposals: int(share * float64(p.Proposals)),
	}))
	return json.NewEncoder(out).Encode(Certified{
		N: d.NObs(), P: d.NTerms(), Took: time.Since(start).Seconds(), Widest: c.Width(), Acceptance: c.Acceptance(),
	})
}

// rowsThenResponse are the numbers of a file for peers.
func rowsThenResponse(d *mlreg.Design) func(yield func(float64) bool) {
	return func(yield func(float64) bool) {
		n, p := d.X.Dims()
		for i := range n {
			for j := range p {
				if !yield(d.X.At(i, j)) {
					return
				}
			}
		}
		for _, v := range d.Y {
			if !yield(v) {
				return
			}
		}
	}
}
