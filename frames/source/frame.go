package source

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// blockRows is how many rows a block of a frame has.
const blockRows = 8192

// Frame returns a frame as a source: the same calls work on what is in memory. The frame
// must not be changed afterwards. Its Design is the way to least squares, ridge, lasso and subsets by factors of many levels,
//
//	s, err := source.Frame(df)
//	d, err := s.Design(ctx, "y ~ zone*x")
//	fit, err := mlreg.FitOLS(d, nil)
//
// since sums of x and y by zone give those of all columns, where frames.Design makes a column of all rows for every level but
// the first, and one more for its slope: the dummies of 300 levels in a million rows are 2.4 GB, if DesignSettings.MaxNumbers lets it.
//
// Sums have fewer digits than rows where columns are nearly collinear, and OLS.Digits states fewer yet; mlreg.RefineOLS(d, nil) has those of rows, by
// another pass or a few.
//
// OLS.Robust, OLS.Clustered, OLS.EachInfluence, GLM.Robust and GLM.EachInfluence take one pass by the cells, and so does every step of a likelihood
// (FitGLM, FitLogistic). Functions that get a block get it with all its columns; clusters are found by its Design.RowNumbers. Errors of predictions
// (mlreg.TestError) read rows in blocks of 8192, each with all its columns: memory stays small, time is that of the columns.
// Folds are those of Design.Folds, for mlreg.MomentFolds. frames.Predict takes df itself. Fits that take a *mlreg.Design only, such as paths of
// likelihoods, quantiles and the bootstrap, need frames.Design. A design has at most 16,384 columns of factors (ErrTooLarge), a factor at most
// DesignSettings.MaxLevels levels, 1000 unless set; behind a bar, "y ~ x | zone", it has any number, for mlreg.FitAbsorbed.
func Frame(df dataframe.DataFrame) (*Source, error) {
	if df.Err != nil {
		return nil, fmt.Errorf("source: the data frame carries an error: %w", df.Err)
	}
	if df.Nrow() == 0 || df.Ncol() == 0 {
		return nil, errorf(frames.ErrNoRows, "the data frame has %d rows and %d columns", df.Nrow(), df.Ncol())
	}
	e := &frameEngine{n: df.Nrow()}
	for _, name := range df.Names() {
		s := df.Col(name)
		e.columns = append(e.columns, s)
		e.about = append(e.about, table.Field{Name: name, Type: s.Type(), Dates: s.Type() == series.String && frames.IsDates(df, name)})
	}
	return newSource(e), nil
}

type frameEngine struct {
	n       int
	columns []series.Series
	about   []table.Field
}

func (e *frameEngine) String() string { return fmt.Sprintf("data frame of %d rows", e.n) }

func (e *frameEngine) fields(context.Context) ([]table.Field, error) { return e.about, nil }

func (e *frameEngine) scan(ctx context.Context, q query, work func(*table.Block) (any, error), collect func(any) error) (string, error) {
	n := e.n
	if q.limit > 0 {
		n = min(n, q.limit)
	}
	err := table.InOrder(ctx, func(ctx context.Context, emit func(int) error) error {
		for first := 0; first < n; first += blockRows {
			if err := emit(first); err != nil {
				return err
			}
		}
		return nil
	}, func(first int) (any, error) {
		b, err := filtered(e.block(q, first, min(n, first+blockRows)), q.where)
		if err != nil {
			return nil, err
		}
		return work(b)
	}, collect)
	return "", err
}

// block copies rows out of the series.
func (e *frameEngine) block(q query, from, to int) *table.Block {
	b := &table.Block{N: to - from, First: from}
	for j, f := range e.about {
		if !slices.Contains(q.columns, f.Name) {
			continue
		}
		c := &table.Column{Field: f, Missing: make([]bool, b.N)}
		if f.Type == series.String {
			c.Text = make([]string, b.N)
		} else {
			c.Num = make([]float64, b.N)
		}
		for i := range b.N {
			v := e.columns[j].Elem(from + i)
			if c.Missing[i] = v.IsNA(); c.Missing[i] {
				c.Count++
			}
			switch {
			case c.Text != nil:
				c.Text[i] = v.String()
			case f.Type == series.Int && !c.Missing[i]:
				whole, _ := v.Int() // which has no error for a value
				num, low := table.SplitInt(int64(whole))
				c.Set(i, num, low)
			default:
				c.Num[i] = v.Float()
			}
		}
		b.Columns = append(b.Columns, c)
	}
	return b
}
