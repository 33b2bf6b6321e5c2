package datasets

import (
	"fmt"
	"math/rand/v2"

	"github.com/regbook/regbook/internal/limit"
	"github.com/regbook/regbook/mlreg"
)

// checkDraw refuses a nil source of randomness, and a draw of more numbers than there is
// room for.
func checkDraw(numbers float64, src rand.Source) error {
	if src == nil {
		return fmt.Errorf("datasets: %w: the source of randomness is nil; rand.NewPCG(1, 2) is one", mlreg.ErrSetting)
	}
	if limit.Exceeded(numbers) {
		return fmt.Errorf("datasets: %w: %s", mlreg.ErrTooLarge, limit.Text("the draw", numbers, "draw fewer rows"))
	}
	return nil
}

var errNilDesign = fmt.Errorf("datasets: %w: the design is nil", mlreg.ErrNoData)
