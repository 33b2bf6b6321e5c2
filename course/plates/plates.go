// Package plates has the models of the course as directed graphs. The description that
// plotting.Plate draws is the one that data are sampled from:
//
//	model := plates.Regression(0.5, 0.04)
//	plotting.Show(plotting.Plate(model))
//	plotting.Show(model.Sample("y", map[string][]int{"row": {20}, "term": {2}}, rand.NewPCG(1, 2)))
//
// A regression has the plates row and term, inputs x that are standard normal, and no
// intercept; its sample of y has the columns x1, x2 and so on. A variance below zero, or a
// probability outside of 0 to 1, has samples that are not a number.
package plates

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/frames"
)

var (
	row, term = []string{"row"}, []string{"term"}
	cell      = []string{"row", "term"}
)

// of and all give the values of parents.
type (
	of  = func(name string) float64
	all = func(name string) []float64
)

// Regression is Bayesian linear regression with known variances:
//
//	w_j ~ N(0, tau2),   y_i ~ N(sum_j w_j x_ij, sigma2)
func Regression(tau2, sigma2 float64) frames.Graph {
	return gaussian(sigma2, constant("τ", math.Sqrt(tau2), 1.6, 0), weight())
}

// Ridge is the model whose most probable weights are those of ridge regression with the
// penalty lambda:
//
//	w_j ~ N(0, sigma2/lambda),   y_i ~ N(sum_j w_j x_ij, sigma2)
func Ridge(lambda, sigma2 float64) frames.Graph {
	return append(frames.Graph{constant("λ", lambda, 1.6, 0), constant("σ", math.Sqrt(sigma2), 3.2, 1.6),
		{Name: "w", Parents: []string{"λ", "σ"}, Plates: term,
			Draw: func(r *rand.Rand, p of) float64 { return p("σ") / math.Sqrt(p("λ")) * r.NormFloat64() }},
		inputs()}, response())
}

// Evidence is Regression with a standard deviation of the weights that is not known:
//
//	log tau ~ uniform between log 0.1 and log 10
func Evidence(sigma2 float64) frames.Graph {
	return gaussian(sigma2,
		frames.GraphNode{Name: "τ", Column: 1.6, Draw: func(r *rand.Rand, _ of) float64 { return math.Pow(10, 2*r.Float64()-1) }}, weight())
}

// SpikeAndSlab is a regression that a term is part of with probability pi:
//
//	γ_j ~ Bernoulli(pi),   w_j ~ N(0, tau2) if γ_j = 1, else 0,   y_i ~ N(sum_j w_j x_ij, sigma2)
//
// The letters of the picture are those of page 06: pi is π₀, and the standard deviation of the slab σw.
func SpikeAndSlab(pi, tau2, sigma2 float64) frames.Graph {
	return gaussian(sigma2, constant("π₀", pi, 1.6, -1.6), constant("σw", math.Sqrt(tau2), 1.6, 0),
		frames.GraphNode{Name: "γ", Parents: []string{"π₀"}, Plates: term, Row: -1.6,
			Draw: func(r *rand.Rand, p of) float64 { return bernoulli(r, p("π₀")) }},
		frames.GraphNode{Name: "w", Parents: []string{"γ", "σw"}, Plates: term,
			Draw: func(r *rand.Rand, p of) float64 { return p("γ") * p("σw") * r.NormFloat64() }})
}

// LogisticRegression has responses of 0 and 1:
//
//	w_j ~ N(0, tau2),   y_i ~ Bernoulli(1/(1 + exp(-sum_j w_j x_ij)))
func LogisticRegression(tau2 float64) frames.Graph {
	return frames.Graph{constant("τ", math.Sqrt(tau2), 1.6, 0), weight(), inputs(),
		{Name: "y", Parents: []string{"w", "x"}, Plates: row, Observed: true, Column: 1.6, Row: 1.6,
			DrawAll: func(r *rand.Rand, p all) float64 {
				return bernoulli(r, 1/(1+math.Exp(-floats.Dot(p("w"), p("x")))))
			}}}
}

// NaiveBayes writes mails of the classes 0 and 1. The plates are mail and word; x is 1 where
// a mail has a word:
//
//	y_i ~ Bernoulli(pi),   p0_j, p1_j ~ Beta(a, a),   x_ij ~ Bernoulli(p0_j or p1_j, by the class y_i)
//
// The probabilities of a class have their posterior mean at the fractions smoothed with a.
func NaiveBayes(pi, a float64) frames.Graph {
	word := []string{"word"}
	beta := func(r *rand.Rand, p of) float64 {
		if !(p("a") > 0) {
			return math.NaN()
		}
		return distuv.Beta{Alpha: p("a"), Beta: p("a"), Src: r}.Rand()
	}
	return frames.Graph{constant("π", pi, -1.4, 1.6), constant("a", a, 2.3, -1.2),
		{Name: "y", Parents: []string{"π"}, Plates: []string{"mail"}, Observed: true, Row: 1.6,
			Draw: func(r *rand.Rand, p of) float64 { return bernoulli(r, p("π")) }},
		{Name: "p0", Parents: []string{"a"}, Plates: word, Column: 1.6, Draw: beta},
		{Name: "p1", Parents: []string{"a"}, Plates: word, Column: 3, Draw: beta},
		{Name: "x", Parents: []string{"y", "p0", "p1"}, Plates: []string{"mail", "word"}, Observed: true, Column: 1.6, Row: 1.6,
			Draw: func(r *rand.Rand, p of) float64 {
				if p("y") == 1 {
					return bernoulli(r, p("p1"))
				}
				return bernoulli(r, p("p0"))
			}},
	}
}

// gaussian adds rows with normal noise to the graph of weights w.
func gaussian(sigma2 float64, weights ...frames.GraphNode) frames.Graph {
	return append(weights, inputs(), constant("σ", math.Sqrt(sigma2), 3.2, 1.6), response())
}

// weight is a node of weights with standard deviation τ.
func weight() frames.GraphNode {
	return frames.GraphNode{Name: "w", Parents: []string{"τ"}, Plates: term,
		Draw: func(r *rand.Rand, p of) float64 { return p("τ") * r.NormFloat64() }}
}

func inputs() frames.GraphNode {
	return frames.GraphNode{Name: "x", Plates: cell, Observed: true, Row: 1.6,
		Draw: func(r *rand.Rand, _ of) float64 { return r.NormFloat64() }}
}

func response() frames.GraphNode {
	return frames.GraphNode{Name: "y", Parents: []string{"w", "x", "σ"}, Plates: row, Observed: true, Column: 1.6, Row: 1.6,
		DrawAll: func(r *rand.Rand, p all) float64 { return floats.Dot(p("w"), p("x")) + p("σ")[0]*r.NormFloat64() }}
}

func constant(name string, value, column, place float64) frames.GraphNode {
	return frames.GraphNode{Name: name, Fixed: true, Column: column, Row: place,
		Draw: func(*rand.Rand, of) float64 { return value }}
}

func bernoulli(r *rand.Rand, p float64) float64 {
	switch u := r.Float64(); {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case u < p:
		return 1
	}
	return 0
}
