package frames

import (
	"io"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
)

// This file hands package frames/source what reads formulas and codes blocks of rows, which the
// evaluator of frames computes.

func init() {
	table.Frames.Compile = func(formula string, fields []table.Field, settings any, limits table.Limits) (table.Learner, error) {
		s, _ := settings.(*DesignSettings)
		return newLearner(formula, fields, s, limits)
	}
	table.Frames.Recode = recode
	table.Frames.Where = whereBlocks
	table.Frames.Predict = predictBlocks
	table.Frames.Summarise = summariseBlocks
	table.Frames.WriteCSV = func(w io.Writer, fields []table.Field, point []bool, settings any) (func(*table.Block) error, error) {
		s, _ := settings.(*WriteCSVSettings)
		return writeBlocks(w, fields, point, s)
	}
	table.Frames.Frame = blockFrame
}

// blockFrame returns a block as a frame.
func blockFrame(b *table.Block) dataframe.DataFrame {
	all := make([]series.Series, len(b.Columns))
	for j, c := range b.Columns {
		from := &column{name: c.Name, typ: c.Type, num: c.Num, low: c.Low, text: c.Text, missing: c.Missing}
		if err := from.stored(); err != nil {
			return dataframe.DataFrame{Err: err}
		}
		all[j] = from.series(c.Name)
	}
	return dataframe.New(all...)
}
