package frames

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"
)

// Completed has the complete rows of a frame, and says which were dropped.
type Completed struct {
	Frame   dataframe.DataFrame
	Rows    int            // of the frame before
	Dropped int            // rows with a missing value
	Missing []MissingCount // the columns looked at that have missing values
}

// Complete drops the rows in which any of the named columns, or of all columns if
// none is named, has a missing value, R's na.omit: all formulas fitted to the
// others then have the same rows. The result counts what was dropped. The error
// matches ErrNoColumn, or ErrNoRows if no row is complete.
func Complete(df dataframe.DataFrame, names ...string) (*Completed, error) {
	e, err := onFrame(df)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = df.Names()
	}
	c := &Completed{Rows: df.Nrow()}
	incomplete := make([]bool, c.Rows)
	for _, name := range names {
		col, err := e.named(name)
		if err != nil {
			return nil, err
		}
		if col.count > 0 {
			c.Missing = append(c.Missing, MissingCount{name, col.count})
			incomplete = either(incomplete, col.missing)
		}
	}
	rows, _ := divideRows(incomplete)
	if len(rows) == 0 {
		return nil, noCompleteRow(c.Rows, c.Missing)
	}
	c.Dropped = c.Rows - len(rows)
	c.Frame, err = take(df, rows)
	return c, err
}

// String says how many rows were dropped, and for which columns.
func (c *Completed) String() string {
	if c.Dropped == 0 {
		return fmt.Sprintf("all %d rows are complete", c.Rows)
	}
	return fmt.Sprintf("%d of %d rows are complete, %d dropped; missing values: %s", c.Rows-c.Dropped, c.Rows, c.Dropped, missingText(c.Missing))
}
