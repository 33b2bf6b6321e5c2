package datasets

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// DigitDisplay is the true model of the digits on a display of seven bars, each of which is
// wrong with the given probability, independently: ten equally probable classes and seven
// features. Sample draws displays. R: mlbench.led. (Breiman, Friedman, Olshen and Stone,
// Classification and Regression Trees, 1984, section 2.6.1, where the probability is 0.1
// and the best possible error 0.26.)
//
// The bars are numbered from the top, left before right. The error is mlreg.ErrSetting for
// a probability that is not between 0 and 1.
func DigitDisplay(wrong float64) (*mlreg.NaiveBayes, error) {
	if !(wrong >= 0 && wrong <= 1) {
		return nil, fmt.Errorf("datasets: %w: a bar is wrong with probability %v", mlreg.ErrSetting, wrong)
	}
	lit := [10]string{"1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011"}
	var digits []string
	var prior []float64
	p := mat.NewDense(10, 7, nil)
	for k, bars := range lit {
		digits, prior = append(digits, fmt.Sprint(k)), append(prior, 1)
		for j, bar := range bars {
			p.Set(k, j, wrong)
			if bar == '1' {
				p.Set(k, j, 1-wrong)
			}
		}
	}
	bars := []string{"top", "upper left", "upper right", "middle", "lower left", "lower right", "bottom"}
	return mlreg.NewNaiveBayes(digits, bars, prior, p)
}
