package ours

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/internal/wholefile"
	"github.com/regbook/regbook/mlreg"
)

// csvFile returns the design as a CSV file with all digits, which is written unless it is
// there: peers.py has the same.
func csvFile(d *mlreg.Design) (string, error) {
	n, p := d.X.Dims()
	path := filepath.Join(os.TempDir(), fmt.Sprintf("regbook_bench_%d_%d.csv", n, p))
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return path, err
	}
	return path, wholefile.Write(path, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		var line []byte
		for _, name := range d.Names {
			line = append(append(line, name...), ',')
		}
		line = append(line, "y\n"...)
		for i := range n {
			if _, err := out.Write(line); err != nil {
				return err
			}
			line = line[:0]
			for _, v := range d.X.RawRowView(i) {
				line = append(strconv.AppendFloat(line, v, 'g', -1, 64), ',')
			}
			line = append(strconv.AppendFloat(line, d.Y[i], 'g', -1, 64), '\n')
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
		return out.Flush()
	})
}

// readCSVTask reads a file into a data frame; the answer is the means of its columns.
func readCSVTask(d *mlreg.Design) func() []float64 {
	path := try.Get(csvFile(d))
	return func() []float64 {
		c := try.Get(frames.ReadCSV(path, nil))
		var means []float64
		for _, name := range c.Frame.Names() {
			x := try.Get(frames.Floats(c.Frame, name))
			means = append(means, stat.Mean(x, nil))
		}
		return means
	}
}

// csvMomentsTask fits least squares to a file by one pass; the answer is the slopes.
func csvMomentsTask(d *mlreg.Design) func() []float64 {
	path := try.Get(csvFile(d))
	return func() []float64 {
		s := try.Get(source.CSV(path, nil))
		rows := try.Get(s.Design(context.Background(), "y ~ ."))
		f := try.Get(mlreg.FitOLS(rows, nil))
		return f.Coef()[1:]
	}
}
