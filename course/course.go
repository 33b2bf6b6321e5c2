// Package course imports what the course's notebooks use. The kernel Go (Regbook)
// has it all from the start; in a plain GoNB kernel
//
//	!*go get github.com/regbook/regbook/course
//
// fetches it, and the kernel's goimports then finds it by name.
package course

import (
	_ "github.com/go-gota/gota/dataframe"
	_ "github.com/janpfeifer/must"
	_ "gonum.org/v1/gonum/floats"
	_ "gonum.org/v1/gonum/mat"
	_ "gonum.org/v1/gonum/stat"
	_ "gonum.org/v1/gonum/stat/distuv"
	_ "gonum.org/v1/plot"

	_ "github.com/regbook/regbook/course/exercise"
	_ "github.com/regbook/regbook/course/ledger"
	_ "github.com/regbook/regbook/course/live"
	_ "github.com/regbook/regbook/course/plates"
	_ "github.com/regbook/regbook/datasets"
	_ "github.com/regbook/regbook/frames"
	_ "github.com/regbook/regbook/mlreg"
	_ "github.com/regbook/regbook/mlreg/assess"
	_ "github.com/regbook/regbook/mlreg/hier"
	_ "github.com/regbook/regbook/mlreg/quantreg"
	_ "github.com/regbook/regbook/mlreg/report"
	_ "github.com/regbook/regbook/mlreg/rlm"
	_ "github.com/regbook/regbook/mlreg/tsa"
	_ "github.com/regbook/regbook/plotting"
	_ "github.com/regbook/regbook/plotting/lecture"
)
