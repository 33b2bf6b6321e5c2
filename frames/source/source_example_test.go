package source_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// The prostate data, as if they did not fit into memory.
func ExampleCSV() {
	ctx := context.Background()
	men := must.M1(source.CSV("../testdata/prostate.csv", nil))
	d := must.M1(men.Design(ctx, "lpsa ~ lcavol + svi"))
	fmt.Printf("%.4f\n", must.M1(mlreg.FitOLS(d, nil)).Coef())
	fmt.Println(d)
	// Output:
	// [1.5334 0.5926 0.6697]
	// CSV file prostate.csv
	// lpsa ~ lcavol + svi
	// 97 rows of 97, 2 columns
	// sums: streamed
}

// Three hundred zones are no columns of rows: the frame is a source, whose sums are by zone.
func ExampleFrame() {
	ctx := context.Background()
	const n = 6000
	zone, x, y := make([]string, n), make([]float64, n), make([]float64, n)
	for i := range n {
		g := i % 300
		zone[i], x[i] = fmt.Sprintf("zone %03d", g), float64(i*i%97)
		y[i] = float64(g) + 0.5*x[i] + float64(i*i%7-3)
	}
	df := must.M1(frames.Frame(frames.Col("zone", zone), frames.Col("x", x), frames.Col("y", y)))
	d := must.M1(must.M1(source.Frame(df)).Design(ctx, "y ~ x + zone"))
	fit := must.M1(mlreg.FitOLS(d, nil))
	fmt.Printf("%d coefficients of %d rows; slope %.2f with standard error %.4f\n", len(fit.Coef()), fit.NObs(), fit.Coef()[1], fit.StdErr()[1])
	// Output: 301 coefficients of 6000 rows; slope 0.50 with standard error 0.0006
}

// Clusters of the rows of a block, by their numbers in the frame; and the digits of rows, by one pass more.
func ExampleFrame_clustered() {
	ctx := context.Background()
	df := must.M1(frames.ReadCSV("../testdata/prostate.csv", nil)).Frame
	d := must.M1(must.M1(source.Frame(df)).Design(ctx, "lpsa ~ lcavol + factor(gleason)"))
	fit := must.M1(mlreg.RefineOLS(d, nil))
	age := df.Col("age").Records()
	robust := must.M1(fit.Clustered(d, func(block *mlreg.Design) ([]string, error) {
		var clusters []string
		for _, row := range block.RowNumbers {
			clusters = append(clusters, age[row-1])
		}
		return clusters, nil
	}))
	fmt.Printf("%.4f\n", robust.StdErr())
	// Output: [0.1531 0.1008 0.1901 0.1438 0.3211]
}

// Means of groups are sums that a pass leaves.
func ExampleGrouped_Summarise() {
	ctx := context.Background()
	men := must.M1(source.CSV("../testdata/prostate.csv", nil))
	old := must.M1(men.Where(ctx, "age >= 60"))
	fmt.Println(must.M1(old.GroupBy("decade = 10*floor(age/10)").Summarise(ctx, "n()", "lpsa = mean(lpsa)")).Records())
	// Output: [[decade n() lpsa] [60.000000 60 2.598157] [70.000000 17 2.593850]]
}

// Whether a database computes summaries itself. Rows of a file are read.
func ExampleGrouped_Route() {
	men := must.M1(source.CSV("../testdata/prostate.csv", nil))
	route, why, err := men.GroupBy("gleason").Route(context.Background(), "mean(lpsa)")
	fmt.Println(route, why, err)
	// Output: streamed CSV file prostate.csv computes no sums <nil>
}

// Of a database, Pushed has it compute what is asked for, or is an error.
func ExampleSource_By() {
	men := must.M1(source.CSV("../testdata/prostate.csv", nil))
	there := must.M1(men.By(source.Pushed))
	_, err := there.GroupBy("gleason").Summarise(context.Background(), "mean(lpsa)")
	fmt.Println(err)
	// Output: source: the summaries cannot be pushed down: CSV file prostate.csv computes no sums
}

// The lasso with its penalty from cross-validation, by one pass.
func ExampleDesign_Folds() {
	men := must.M1(source.CSV("../testdata/prostate.csv", nil))
	d := must.M1(men.Design(context.Background(), "lpsa ~ . - train"))
	folds := must.M1(mlreg.MomentFolds(must.M1(d.Folds(5, "", 1))...))
	cv := must.M1(mlreg.FitLassoCV(nil, folds, nil, &mlreg.CVSettings{Standardize: &mlreg.StandardizeSettings{}}))
	fmt.Println(len(cv.FitOneSE().Active()) < 8)
	// Output: true
}

// Predictions of rows that are not held.
func ExamplePredict() {
	ctx := context.Background()
	men := must.M1(source.CSV("../testdata/prostate.csv", nil))
	fit := must.M1(mlreg.FitOLS(must.M1(men.Design(ctx, "lpsa ~ lcavol + svi")), nil))
	must.M(source.Predict(ctx, fit, must.M1(men.Where(ctx, "lcavol > 3.5")), func(first int, predictions []float64) error {
		fmt.Printf("%d: %.4f\n", first, predictions)
		return nil
	}))
	// Output:
	// 0: [4.4673]
}

// Men above 60 are predicted by a spline that knows those up to 60.
func ExampleExtrapolations() {
	ctx := context.Background()
	men := must.M1(source.CSV("../testdata/prostate.csv", nil))
	young := must.M1(men.Where(ctx, "age <= 60"))
	fit := must.M1(mlreg.FitOLS(must.M1(young.Design(ctx, "lpsa ~ ns(age, 2)")), nil))
	for _, e := range must.M1(source.Extrapolations(ctx, fit, men)) {
		fmt.Println(e)
	}
	// Output:
	// ns(age, 2): 72 rows beyond its range, 41 to 60, as far as 79: it is linear there
}

// Predictions are one more column, of a file that is written back with them.
func ExampleSource_WithPredictions() {
	ctx := context.Background()
	men := must.M1(source.CSV("../testdata/prostate.csv", nil))
	fit := must.M1(mlreg.FitOLS(must.M1(men.Design(ctx, "lpsa ~ lcavol + svi")), nil))
	scored := must.M1(men.WithPredictions(ctx, fit, "expected"))
	high := must.M1(scored.Where(ctx, "expected > 3"))
	fmt.Println(must.M1(high.GroupBy("svi").Summarise(ctx, "n()", "mean(lpsa - expected)")).Records())

	dir := must.M1(os.MkdirTemp("", ""))
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "scored.csv")
	must.M(high.WriteCSV(ctx, file, nil))
	text := string(must.M1(os.ReadFile(file)))
	fmt.Println(strings.Count(text, "\n"), "lines;", strings.SplitN(text, "\n", 2)[0])
	// Output:
	// [[svi n() mean(lpsa - expected)] [0 7 0.177207] [1 20 -0.006664]]
	// 28 lines; lcavol,lweight,age,lbph,svi,lcp,gleason,pgg45,lpsa,train,expected
}

// Columns of a file that are computed as its rows are read.
func ExampleSource_With() {
	ctx := context.Background()
	men := must.M1(source.CSV("../testdata/prostate.csv", nil))
	men = must.M1(men.With(ctx, `stage = case_when(gleason > 7, "high", gleason == 7, "middle", TRUE, "low")`))
	fmt.Println(must.M1(men.GroupBy("stage").Summarise(ctx, "n()", "max(age)")).Records())
	// Output: [[stage n() max(age)] [high 6 79] [low 35 73] [middle 56 78]]
}
