// Command openblas does the work of the benchmark linked with OpenBLAS.
package main

import (
	"fmt"
	"os"

	"github.com/regbook/regbook/internal/bench/ours"
	_ "github.com/regbook/regbook/mlreg/openblas"
)

func main() {
	if err := ours.Main(os.Args[1:], "with mlreg/openblas", os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
