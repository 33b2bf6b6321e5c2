package plotting_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/plotting"
)

// A file is read once, though each cell of a notebook declares what it holds again.
func ExampleKeep() {
	dir := must.M1(os.MkdirTemp("", "example"))
	defer func() { must.M(os.RemoveAll(dir)) }()
	must.M(os.Setenv("XDG_CACHE_HOME", dir))
	path := filepath.Join(dir, "ozone.csv")
	must.M(os.WriteFile(path, []byte("ozone\n41\n36\n"), 0o644))
	read := func() (*frames.CSV, error) {
		fmt.Println("reading")
		return frames.ReadCSV(path, nil)
	}
	for range 2 {
		csv := must.M1(plotting.Keep("ozone", read, plotting.File(path)))
		fmt.Println(csv.Frame.Nrow(), "rows")
	}
	must.M(plotting.Forget("ozone"))
	// Output:
	// reading
	// 2 rows
	// 2 rows
}

// Forget makes the next Keep compute the value again.
func ExampleForget() {
	fmt.Println(plotting.Forget("no/name") != nil, plotting.Forget("never kept"))
	// Output:
	// true <nil>
}
