package datasets_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// A file of flights, and a regression on it that holds no rows in memory.
func ExampleWriteFlights() {
	dir := must.M1(os.MkdirTemp("", "flights"))
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "flights.csv")
	must.M(datasets.WriteFlights(path, 20_000, rand.NewPCG(17, 1)))
	flights := must.M1(source.CSV(path, nil))
	d := must.M1(flights.Design(context.Background(), "delay ~ carrier + I((hour - 6)^2) + distance + wind"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	fmt.Printf("%d flights, %d of them canceled\n", d.Terms().N, d.Terms().Omitted)
	fmt.Printf("NK %.1f, wind %.2f\n", ols.Coef()[4], ols.Coef()[9])
	// Output:
	// 20000 flights, 203 of them canceled
	// NK 8.2, wind 0.25
}
