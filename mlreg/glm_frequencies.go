package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/report"
)

// CountFrequencies are how many rows have which count: those seen beside those that a fit
// expects.
type CountFrequencies struct {
	Response string
	// Width is the number of counts in a bin: bin k has k Width to (k+1) Width - 1.
	Width int
	// Observed has the number of rows of every bin, from count 0 to the largest seen.
	Observed []float64
	// Expected has the sum of the probabilities that the rows have of a count in the bin.
	Expected []float64
	// Above is how many rows are expected above the last bin.
	Above float64
}

// mostBins are those of CountFrequencies, and defaultBins those that it has unless asked
// for others.
const (
	mostBins    = 10_000
	defaultBins = 40
)

// Frequencies counts the rows of d by their response, beside what the fit expects: for
// bin k of width counts
//
//	Observed_k = #{i: y_i in bin k},   Expected_k = sum_i P(Y_i in bin k | mu_i).
//
// Under the fit Observed_k has the mean Expected_k, and a variance that is not larger. A
// weight of w counts a Poisson row w times; the counts of a Binomial fit are the
// successes w y. Width 0 is the smallest for at most 40 bins. plotting.Rootogram draws
// them.
//
// Errors: ErrSetting for a family other than Poisson and Binomial, which has no
// distribution of counts, for a negative width, and for one that makes more than 10,000
// bins; those of Residuals; ErrNoData if no row has a weight.
//
// Kleiber and Zeileis, The American Statistician 70 (2016), 296-303.
func (f *GLM) Frequencies(d *Design, width int) (*CountFrequencies, error) {
	binomial := f.c.Family == Binomial
	if f.c.Family != Poisson && !binomial {
		return nil, fmt.Errorf("%w: frequencies of the %v family; Poisson and Binomial have probabilities of counts", ErrSetting, f.c.Family)
	}
	if width < 0 {
		return nil, fmt.Errorf("%w: a bin of %d counts", ErrSetting, width)
	}
	most, rows := 0.0, 0
	counts, err := f.eachRow(d, func(_ int, r glmRow) (float64, error) {
		y := r.y
		if binomial {
			y = math.Round(r.w * r.y)
		}
		most = math.Max(most, y)
		rows++
		return y, nil
	})
	if err != nil {
		return nil, err
	}
	if rows == 0 {
		return nil, fmt.Errorf("%w: no row of the design has a weight", ErrNoData)
	}
	if width == 0 {
		width = int(math.Max(1, math.Ceil((most+1)/defaultBins)))
	}
	bins := math.Floor(most/float64(width)) + 1
	if bins > mostBins {
		return nil, fmt.Errorf("%w: bins of %d counts are %.0f up to the largest count %v; at most %d are counted, take wider ones", ErrSetting, width, bins, most, mostBins)
	}
	out := &CountFrequencies{Response: f.l.Response, Width: width, Observed: make([]float64, int(bins)), Expected: make([]float64, int(bins))}
	_, err = f.eachRow(d, func(i int, r glmRow) (float64, error) {
		times := r.w
		if binomial {
			times = 1
		}
		out.Observed[int(counts[i])/width] += times
		var below float64
		for k := range out.Expected {
			up := upToCount(f.c.Family, float64((k+1)*width-1), r)
			out.Expected[k] += times * (up - below)
			below = up
		}
		out.Above += times * (1 - below)
		return 0, nil
	})
	return valid(out, err)
}

// upToCount is the probability of at most k counts.
func upToCount(f GLMFamily, k float64, r glmRow) float64 {
	trials := 1.0
	if f == Binomial {
		trials = math.Round(r.w)
	}
	_, lower, _ := f.kind().Tails(k/trials, r.mu, 1/trials)
	return lower
}

// Describe returns a row for every bin.
func (c *CountFrequencies) Describe() *report.Table {
	var names []string
	for k := range c.Observed {
		if c.Width == 1 {
			names = append(names, fmt.Sprint(k))
		} else {
			names = append(names, fmt.Sprintf("%d to %d", k*c.Width, (k+1)*c.Width-1))
		}
	}
	t := &report.Table{Title: "Rows by " + c.Response, Columns: []report.Column{
		report.TextColumn(c.Response, names...), report.NumberColumn("observed", c.Observed, 0), report.NumberColumn("expected", c.Expected, 0),
	}}
	if c.Above > 0 {
		t.Notes = []string{"expected above: " + format.Number(c.Above, 3)}
	}
	return t
}

// String writes the frequencies as text.
func (c *CountFrequencies) String() string { return c.Describe().String() }
