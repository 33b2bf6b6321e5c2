// Package openblas makes the linear algebra of this program, gonum's and
// mlreg's, run on OpenBLAS. Import it for its effect:
//
//	import _ "github.com/regbook/regbook/mlreg/openblas"
//
// It needs a C compiler and OpenBLAS with its header files; on Debian and
// Ubuntu, apt-get install gcc libopenblas-dev. No environment variable is
// needed. OpenBLAS uses every processor; OPENBLAS_NUM_THREADS limits it.
//
// What it registers is a BLAS, for blas64; gonum's LAPACK and mat are built on
// that. Cross-products of rows stay with mlreg's own kernel on processors on
// which that one is faster.
//
// The package is a module of its own, so that nothing of C is asked of those
// who do not import it.
package openblas

// #cgo LDFLAGS: -lopenblas
import "C"

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/netlib/blas/netlib"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

func init() {
	blas64.Use(netlib.Implementation{})
	gram.UseBLAS(true)
}
