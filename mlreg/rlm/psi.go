package rlm

import (
	"cmp"
	"fmt"
	"math"
	"sync"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/quadrature"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// PsiKind names a loss of residuals in units of their scale.
type PsiKind int

// The losses, by what a residual u pulls with: psi(u), the derivative of rho(u).
const (
	HuberPsi    PsiKind = iota // u, at most C: squares in the middle, absolute values in the tails. Default.
	BisquarePsi                // Tukey's: u (1 - (u/C)^2)^2, 0 beyond C
	StudentPsi                 // (C + 1) u/(C + u^2): Student's t with C degrees of freedom
	AbsolutePsi                // the sign of u: least absolute deviations
	SquarePsi                  // u: least squares
)

// String returns "Huber", "bisquare", "Student", "absolute" or "square".
func (k PsiKind) String() string {
	return format.Choice("PsiKind", int(k), "Huber", "bisquare", "Student", "absolute", "square")
}

// Psi is a loss with its tuning constant. The zero value is Huber's with 95% efficiency.
type Psi struct {
	Kind PsiKind
	// C is the constant; the default 0 is 1.345 for Huber's and 4.685 for the bisquare loss,
	// which have 95% of the efficiency of least squares if the noise is Gaussian, and 4
	// degrees of freedom for Student's.
	C float64
}

func (p Psi) constant() float64 {
	if p.C > 0 {
		return p.C
	}
	switch p.Kind {
	case BisquarePsi:
		return 4.685
	case StudentPsi:
		return 4
	}
	return 1.345
}

// Value returns psi(u). For a location estimate the influence of a row at u is Value over
// the mean of Slope (Hampel and others, Robust Statistics (1986), section 2.3).
func (p Psi) Value(u float64) float64 {
	if p.Kind == AbsolutePsi {
		return float64(cmp.Compare(u, 0))
	}
	return u * p.Weight(u)
}

// Weight returns psi(u)/u, the weight that a row at u gets; 1 at 0, but infinite there for
// AbsolutePsi, and (C + 1)/C for StudentPsi.
func (p Psi) Weight(u float64) float64 {
	c := p.constant()
	switch a := math.Abs(u); p.Kind {
	case BisquarePsi:
		if a >= c {
			return 0
		}
		return gram.Square(1 - gram.Square(u/c))
	case StudentPsi:
		return studentWeight(u, c)
	case AbsolutePsi:
		return 1 / a
	case SquarePsi:
		return 1
	default:
		if a <= c {
			return 1
		}
		return c / a
	}
}

// Slope returns the derivative of psi at u, 0 at its corners; that of AbsolutePsi is 0,
// with an impulse of 2 at zero.
func (p Psi) Slope(u float64) float64 {
	c := p.constant()
	switch a := math.Abs(u); p.Kind {
	case BisquarePsi:
		if a >= c {
			return 0
		}
		t := gram.Square(u / c)
		return (1 - t) * (1 - 5*t)
	case StudentPsi:
		return (c + 1) * (c - u*u) / gram.Square(c+u*u)
	case AbsolutePsi:
		return 0
	case SquarePsi:
		return 1
	default:
		if a <= c {
			return 1
		}
		return 0
	}
}

// Rho returns the loss at u, 0 at 0: u^2/2 near zero, and for the bisquare loss C^2/6 from
// C on.
func (p Psi) Rho(u float64) float64 {
	c := p.constant()
	switch a := math.Abs(u); p.Kind {
	case BisquarePsi:
		if a >= c {
			return c * c / 6
		}
		t := 1 - gram.Square(u/c)
		return c * c / 6 * (1 - t*t*t)
	case StudentPsi:
		return (c + 1) / 2 * math.Log1p(u*u/c)
	case AbsolutePsi:
		return a
	case SquarePsi:
		return u * u / 2
	default:
		if a <= c {
			return u * u / 2
		}
		return c * (a - c/2)
	}
}

// normalRule is the rule of a stretch of the half-line on which a loss is smooth.
var normalRule = sync.OnceValue(func() quadrature.Rule { return quadrature.Legendre(80) })

// Efficiency returns the variance of least squares over that of this loss if the noise is
// Gaussian, of known scale:
//
//	(E psi'(Z))^2/E psi(Z)^2,  Z ~ N(0, 1).
//
// Hampel and others (1986), section 2.3.
func (p Psi) Efficiency() float64 {
	if p.Kind == AbsolutePsi {
		return 2 / math.Pi
	}
	c := p.constant()
	cuts := []float64{0, c, math.Max(c, 0) + 12}
	if p.Kind == StudentPsi || p.Kind == SquarePsi || c > 30 {
		cuts = []float64{0, 3, 12}
	}
	mean := func(f func(u float64) float64) float64 {
		var sum float64
		for k := 1; k < len(cuts); k++ {
			for u, w := range normalRule().Between(cuts[k-1], cuts[k]) {
				sum += w * 2 * f(u) * math.Exp(-u*u/2) / math.Sqrt(2*math.Pi)
			}
		}
		return sum
	}
	return gram.Square(mean(p.Slope)) / mean(func(u float64) float64 { return gram.Square(p.Value(u)) })
}

// Describe returns the loss, its constant and its efficiency as a table that is written in
// a line: "bisquare, c = 4.685". A slice of losses is a table with a row for each,
// in which a loss without a constant has c NaN.
func (p Psi) Describe() *report.Table {
	line, c := p.Kind.String(), math.NaN()
	if p.Kind != AbsolutePsi && p.Kind != SquarePsi {
		c = p.constant()
		line = fmt.Sprintf("%v, c = %v", p.Kind, c)
	}
	return tables.Line(line, report.TextColumn("loss", p.Kind.String()), tables.One("c", c), tables.One("efficiency", p.Efficiency()))
}

// String writes the loss in a line.
func (p Psi) String() string { return p.Describe().String() }
