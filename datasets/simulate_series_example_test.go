package datasets_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/tsa"
)

func ExampleSimulateECoG() {
	ecog := must.M1(datasets.SimulateECoG(10, 20, 2000, rand.NewPCG(15, 1)))
	fmt.Println(ecog.Series.NObs(), "samples; active:", ecog.Active)
	// Output: 2000 samples; active: [e1 e6]
}

func ExampleDrivenPair() {
	s := must.M1(datasets.DrivenPair(500, 0.8, rand.NewPCG(1, 2)))
	for _, response := range s.Names {
		lags := must.M1(tsa.NewLags(s, 4, &tsa.LagsSettings{Response: response}))
		test := must.M1(tsa.GrangerTest(lags, must.M1(mlreg.FitOLS(lags, nil))))[0]
		fmt.Printf("%s helps %s: %v\n", test.Channel, response, test.P < 0.001)
	}
	// Output:
	// driven helps driver: false
	// driver helps driven: true
}
