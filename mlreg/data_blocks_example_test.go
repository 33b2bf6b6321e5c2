package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Rows that come forty at a time, as from a file.
func ExampleMomentsOfBlocks() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	file := mlreg.RowBlocksFunc(func(f func(*mlreg.Design) error) error {
		for first := 0; first < d.NObs(); first += 40 {
			var block []int
			for i := first; i < min(first+40, d.NObs()); i++ {
				block = append(block, i)
			}
			if err := f(d.Rows(block...)); err != nil {
				return err
			}
		}
		return nil
	})
	m := must.M1(mlreg.MomentsOfBlocks(file))
	fmt.Printf("%d rows: %.4f\n", m.NObs(), must.M1(mlreg.FitOLS(m, nil)).Coef())
	blocks := 0
	err := file.EachBlock(func(*mlreg.Design) error { blocks++; return nil })
	fmt.Println(blocks, "blocks", err)
	err = d.EachBlock(func(block *mlreg.Design) error { fmt.Println("one of", block.NObs()); return nil }) // so is a design
	must.M(err)
	// Output:
	// 97 rows: [1.5334 0.5926 0.6697]
	// 3 blocks <nil>
	// one of 97
}
