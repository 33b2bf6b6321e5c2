package live

import "testing"

// All exact probabilities lie in their intervals, which close with the rows.
func TestCertifiedRows(t *testing.T) {
	e := CertifiedRows()
	var widths []float64
	for _, ratio := range []float64{0.2, 0.7, 0.9} {
		view, err := e.Draw([]float64{ratio, 1 << 13}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if inside := view.Numbers[3].Value; inside != certifiedTerms {
			t.Errorf("d/n %v: %v exact probabilities are in their intervals", ratio, inside)
		}
		widths = append(widths, view.Numbers[1].Value)
	}
	if !(widths[0] < widths[1] && widths[1] < widths[2]) {
		t.Errorf("widths %v", widths)
	}
}
