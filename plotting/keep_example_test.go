package plotting_test

import (
	"fmt"
	"os"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/plotting"
)

// A slow fit is computed once, though each cell of a notebook declares it again.
func ExampleKeep() {
	must.M(os.Setenv("XDG_CACHE_HOME", must.M1(os.MkdirTemp("", "example"))))
	defer func() { must.M(os.RemoveAll(os.Getenv("XDG_CACHE_HOME"))) }()
	slow := func() (float64, error) {
		fmt.Println("computing")
		return 0.5, nil
	}
	for range 2 {
		fmt.Println(must.M1(plotting.Keep("fit", slow)))
	}
	must.M(plotting.Forget("fit"))
	// Output:
	// computing
	// 0.5
	// 0.5
}

// Forget makes the next Keep compute the value again.
func ExampleForget() {
	fmt.Println(plotting.Forget("no/name") != nil, plotting.Forget("never kept"))
	// Output:
	// true <nil>
}
