package plotting

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Bundler is what knows its own output: *Figure, Markdown, and the
// types of other packages that want a rich form in a notebook.
type Bundler interface {
	Bundle() (Bundle, error)
}

// Show displays the values, in order: in the notebook when the GoNB kernel
// runs the program, as text on standard output otherwise (see SetSink).
//
//   - figures: a *plot.Plot at 6.4 x 4 inches, a [Figure] or [InteractiveFigure]
//     as it says
//   - a fit: its [Summary] with 95% limits; a *mlreg.Bayes its [PosteriorTable];
//     penalised fits, such as *mlreg.Ridge: coefficients and certificate
//   - a [Path]: some of its lambdas ([PathTable])
//   - cross-validations, such as *mlreg.LassoCV: the least loss and the rule of
//     one standard error; *mlreg.Folds: their sizes
//   - inference: []mlreg.AnovaRow, []mlreg.NestedRow, []mlreg.VIFRow,
//     *mlreg.Influence, []mlreg.Interval, []mlreg.OddsRatio and *mlreg.Band as tables
//     ([AnovaTable], [NestedTable] ...);
//     mlreg.FTest, TTest, Chi2Test and NormalityTest in a line
//   - what was selected, and how: *mlreg.Subsets, *mlreg.Stepwise,
//     *mlreg.Greedy, []mlreg.FilterRow, *mlreg.SizeCV
//   - posteriors over models: *mlreg.Enumeration, *mlreg.ModelSample
//     ([ModelsTable]), *mlreg.ModelAverage
//   - evidence: []mlreg.FamilyRow ([FamilyTable]), *mlreg.MaxEvidence,
//     *mlreg.LaplaceApproximation, mlreg.CodeLength
//   - classifiers: *mlreg.NaiveBayes, []mlreg.Feature, []mlreg.Evidence,
//     *mlreg.ConfusionTable, *mlreg.ROCCurve, []mlreg.CalibrationRow
//   - data: a dataframe.DataFrame, of more than 25 rows the first ten ([Head]);
//     a *frames.CSV with the report on the file
//   - numbers: a mat.Matrix or []float64, aligned, large ones in part
//   - a [Table], [Markdown] and any other [Bundler]: its own output
//   - an error or Stringer: its text; strings, []string, numbers and truth
//     values: plain text
//
// The results of a call that returns a value and an error may be passed on as
// they are: the error, if there is one, is raised.
//
//	plotting.Show(plotting.Draw(labels, plotting.Points{X: x, Y: y}))
//
// Show has no result that a cell could forget to look at. It panics with the
// error if a value is nil or cannot be displayed, which ends the cell and fails
// the run of the notebook. Programs that want the error use Display.
func Show(values ...any) {
	if err := Display(values...); err != nil {
		panic(err)
	}
}

// Display is Show, returning the error. Nothing is displayed if any of the
// values cannot be. An error that follows other values is taken for the
// failure of the call that returned them, and is returned; if it is
// ErrInterrupted, what was computed before the interruption is displayed.
func Display(values ...any) error {
	if n := len(values); n > 1 {
		switch last := values[n-1].(type) {
		case nil:
			values = values[:n-1]
		case error:
			if !errors.Is(last, ErrInterrupted) || check.IsNil(values[0]) {
				return last
			}
			values = values[:n-1]
		}
	}
	bundles := make([]Bundle, 0, len(values))
	for i, v := range values {
		b, err := bundlesOf(v)
		if err != nil {
			if len(values) > 1 {
				err = fmt.Errorf("plotting: value %d of %d: %w", i+1, len(values), err)
			}
			return err
		}
		bundles = append(bundles, b...)
	}
	return put(bundles)
}

// bundlesOf renders one value, which may have several outputs.
func bundlesOf(value any) ([]Bundle, error) {
	switch v := value.(type) {
	case *InteractiveFigure:
		if v != nil {
			return v.Bundles()
		}
	case *frames.CSV:
		if v != nil {
			head, err := frameBundle(v.Frame)
			return []Bundle{plain(v.Report.String()), head}, err
		}
	}
	b, err := bundle(value)
	return []Bundle{b}, err
}

// bundle renders one value.
func bundle(value any) (Bundle, error) {
	if check.IsNil(value) {
		return Bundle{}, fmt.Errorf("plotting: nothing to show: the value is a nil %T", value)
	}
	switch v := value.(type) {
	case Bundler:
		return v.Bundle()
	case *Table:
		return tableBundle(v)
	case *plot.Plot:
		return Grid(1, v).Bundle()
	case frames.CoefTable:
		t, err := Summary(v, 0.95)
		if err != nil {
			return Bundle{}, err
		}
		return tableBundle(t)
	case []mlreg.AnovaRow, []mlreg.NestedRow, []mlreg.VIFRow, *mlreg.Influence, *mlreg.Band, []mlreg.Interval, []mlreg.OddsRatio,
		*mlreg.Bayes, []mlreg.FamilyRow, *mlreg.MaxEvidence, *mlreg.LaplaceApproximation,
		*mlreg.Enumeration, *mlreg.ModelSample, *mlreg.ModelAverage,
		*mlreg.Subsets, *mlreg.Stepwise, *mlreg.Greedy, []mlreg.FilterRow, *mlreg.SizeCV,
		*mlreg.ElasticNet, *mlreg.Ridge, *mlreg.PCR, *mlreg.Shooting, Path, Validated,
		*mlreg.NaiveBayes, *mlreg.ConfusionTable, []mlreg.CalibrationRow, []mlreg.Feature, []mlreg.Evidence:
		return resultBundle(v)
	case *mlreg.Folds:
		return plain(foldsText(v)), nil
	case mlreg.FTest, mlreg.TTest, mlreg.Chi2Test, mlreg.NormalityTest:
		return plain(testText(v)), nil
	case *mlreg.ROCCurve:
		return plain(rocText(v)), nil
	case mlreg.CodeLength:
		return plain(codeLengthText(v)), nil
	case dataframe.DataFrame:
		return frameBundle(v)
	case *dataframe.DataFrame:
		return frameBundle(*v)
	case []float64:
		return Bundle{Text: vectorText(v)}, nil
	case mat.Matrix:
		return matrixBundle(v)
	case error:
		b := plain(v.Error()) // a long line, which HTML breaks
		b.HTML = "<p>" + format.HTML(v.Error()) + "</p>"
		return b, nil
	case fmt.Stringer:
		return plain(v.String()), nil
	case string:
		return plain(v), nil
	case float64:
		return plain(Number(v, 6)), nil
	case []string:
		return plain(strings.Join(v, "\n")), nil
	}
	switch rv := reflect.ValueOf(value); rv.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return plain(fmt.Sprint(value)), nil
	case reflect.Float32:
		return plain(Number(rv.Float(), 6)), nil
	case reflect.String:
		return plain(rv.String()), nil
	}
	return Bundle{}, fmt.Errorf("plotting: do not know how to show a %T: convert it to a table, a string or a Bundler", value)
}

func frameBundle(df dataframe.DataFrame) (Bundle, error) {
	t, err := Head(df, 0)
	if err != nil {
		return Bundle{}, err
	}
	return tableBundle(t)
}

// resultBundle renders a result of mlreg that is a table.
func resultBundle(value any) (Bundle, error) {
	var t *Table
	var err error
	switch v := value.(type) {
	case []mlreg.AnovaRow:
		t, err = AnovaTable(v)
	case []mlreg.NestedRow:
		t, err = NestedTable(v)
	case []mlreg.VIFRow:
		t, err = vifTable(v)
	case *mlreg.Influence:
		t, err = InfluenceTable(v, 0, nil)
	case *mlreg.Band:
		t, err = BandTable(v, 0, nil)
	case []mlreg.Interval:
		t, err = intervalTable(v)
	case []mlreg.OddsRatio:
		t, err = oddsColumns(v, "")
	case *mlreg.Bayes:
		t, err = PosteriorTable(v, 0.95)
	case []mlreg.FamilyRow:
		t, err = FamilyTable(v)
	case *mlreg.MaxEvidence:
		t, err = evidenceTable(v)
	case *mlreg.LaplaceApproximation:
		t, err = laplaceTable(v)
	case *mlreg.Enumeration:
		t, err = ModelsTable(v)
	case *mlreg.ModelSample:
		t, err = ModelsTable(v)
	case *mlreg.ModelAverage:
		t = averageTable(v)
	case *mlreg.Subsets:
		t, err = subsetsTable(v)
	case *mlreg.Stepwise:
		t, err = stepwiseTable(v)
	case *mlreg.Greedy:
		t, err = greedyTable(v)
	case []mlreg.FilterRow:
		t, err = filterTable(v)
	case *mlreg.SizeCV:
		t, err = sizeTable(v)
	case *mlreg.ElasticNet:
		t = penalisedTable(v)
	case *mlreg.Ridge:
		t = penalisedTable(v)
	case *mlreg.PCR:
		t = penalisedTable(v)
	case *mlreg.Shooting:
		t = shootingTable(v)
	case Path:
		t, err = PathTable(v)
	case Validated:
		t, err = cvTable(v)
	case *mlreg.NaiveBayes:
		t, err = naiveBayesTable(v)
	case *mlreg.ConfusionTable:
		t, err = confusionTable(v)
	case []mlreg.CalibrationRow:
		t, err = calibrationTable(v)
	case []mlreg.Feature:
		t, err = featureTable(v)
	case []mlreg.Evidence:
		t, err = evidenceOfRow(v)
	}
	if err != nil {
		return Bundle{}, err
	}
	return tableBundle(t)
}

// plain is a bundle of text alone; an empty text is shown as an empty line.
func plain(s string) Bundle {
	if s == "" {
		s = "\n"
	}
	return Bundle{Text: s}
}

// Markdown is text that a notebook typesets: headings, lists, and equations
// between dollar signs. It is not empty.
//
//	plotting.Show(plotting.Markdown(`$\hat w = (X^\top X)^{-1} X^\top y$`))
type Markdown string

// Bundle implements Bundler.
func (m Markdown) Bundle() (Bundle, error) {
	if strings.TrimSpace(string(m)) == "" {
		return Bundle{}, errors.New("plotting: the Markdown text is empty")
	}
	return Bundle{Text: string(m), Markdown: string(m)}, nil
}

// Markdownf is Markdown formatted by fmt.Sprintf. Numbers in it read best
// through Number.
func Markdownf(format string, args ...any) Markdown {
	return Markdown(fmt.Sprintf(format, args...))
}
