package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Likelihood is what information criteria are computed from.
type Likelihood interface {
	// LogLik returns the maximized log-likelihood, natural logarithm.
	LogLik() float64
	// Parameters returns the number of parameters it was maximized over; an
	// estimated noise variance counts as one, as in R.
	Parameters() int
	// NObs returns the number of observations.
	NObs() int
}

// RowLikelihood is a fit that can say how probable each row is.
type RowLikelihood interface {
	// LogLikRows returns the log density (or log probability, for a class)
	// of the response of every row of d, natural logarithm.
	LogLikRows(d *Design) ([]float64, error)
}

// AIC returns Akaike's information criterion, -2 LogLik + 2 Parameters; R's
// AIC (statsmodels does not count the variance and gives 2 less). Of a logistic
// regression with fractional weights it is Deviance + 2 Parameters; R's takes weights
// for numbers of trials and rounds them, in the AIC alone.
func AIC(f Likelihood) float64 { return -2*f.LogLik() + 2*float64(f.Parameters()) }

// BIC returns the Bayesian information criterion of Schwarz (1978),
// -2 LogLik + log(n) Parameters; R's BIC. n is NObs, the number of rows of positive
// weight, as for R's lm: a weight says how good a row is, not how often it was seen.
// R's glm counts rows of weight zero, too, and multinom of nnet takes the sum of
// weights for n. -BIC/2 approximates the log evidence, see LogEvidenceBIC.
func BIC(f Likelihood) float64 {
	return -2*f.LogLik() + math.Log(float64(f.NObs()))*float64(f.Parameters())
}

// LogEvidenceBIC returns -BIC/2, Schwarz's approximation of the log evidence
//
//	log p(D) = LogLik - (d/2) log n + O(1),
//
// Laplace's method with the terms that do not grow with n left out: the
// Hessian of d parameters has a determinant of order n^d. d is Parameters, the
// intercept and an estimated noise variance included. (Annals of Statistics 6
// (1978), 461-464.)
func LogEvidenceBIC(f Likelihood) float64 { return -BIC(f) / 2 }

// CodeLength is a description length in bits.
type CodeLength struct {
	// Data is -log2 of the likelihood at its maximum, the sum of the
	// surprises of the observations given the model. For a density it is
	// relative to the unit of the response: dividing the response by 1000
	// takes n log2(1000) bits off every model alike, and it may be negative.
	Data float64
	// Model is (d/2) log2 n: d parameters to the sqrt(n) levels that n
	// observations can tell apart.
	Model float64
}

// Total returns Data + Model, which is BIC/(2 log 2).
func (c CodeLength) Total() float64 { return c.Data + c.Model }

// DescriptionLength returns the two-part code length of data and model,
//
//	-log2 p(D | estimate) + (d/2) log2 n   bits
//
// with d = Parameters and n = NObs: the minimum description length principle
// prefers the smallest. (Rissanen, Automatica 14 (1978), 465-471.)
func DescriptionLength(f Likelihood) CodeLength {
	return CodeLength{
		Data:  -f.LogLik() / math.Ln2,
		Model: float64(f.Parameters()) / 2 * math.Log2(float64(f.NObs())),
	}
}

// Surprise returns -log2 of the density (probability, for a class) that the
// fit gives to the response of every row of d, in bits. Over the rows of a
// maximum-likelihood fit it sums to DescriptionLength(f).Data. Errors are those of
// f.LogLikRows.
func Surprise(f RowLikelihood, d *Design) ([]float64, error) {
	if err := args.Given("the fit", f); err != nil {
		return nil, err
	}
	bits, err := f.LogLikRows(d)
	if err != nil {
		return nil, err
	}
	for i, log := range bits {
		bits[i] = -log / math.Ln2
	}
	return bits, nil
}

// Describe returns the description length as a table that is written in a line:
// "163.72 bits = 147.22 (data) + 16.50 (model)".
func (c CodeLength) Describe() *report.Table {
	line := fmt.Sprintf("%s bits = %s (data) + %s (model)", format.Decimal(c.Total(), 2), format.Decimal(c.Data, 2), format.Decimal(c.Model, 2))
	bits := func(name string, v float64) report.Column { return report.DecimalColumn(name, []float64{v}, 2) }
	return tables.Line(line, bits("bits", c.Total()), bits("data", c.Data), bits("model", c.Model))
}

// String writes the description length in a line.
func (c CodeLength) String() string { return c.Describe().String() }
