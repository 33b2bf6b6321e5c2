package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/regbook/regbook/mlreg"
)

// Describe returns a frame with a row for every column of df:
//
//	variable, type  name and type (int, float, bool, string, date)
//	n, missing      numbers of values and of missing values; n + missing = rows
//	distinct        number of distinct values
//	mean, sd        sum x / n and sqrt(sum (x - mean)^2 / (n-1))
//	min, q25, median, q75, max
//
// All except missing are computed from the values that are not missing.
// Quantiles interpolate linearly at 1 + (n-1)p in the sorted values, type 7 of
// Hyndman and Fan (1996, Am. Stat. 50:361-365), the default of R and NumPy.
// Statistics are float64 numbers, the nearest ones of integers beyond 2^53; distinct counts
// these exactly. True and false are 1 and 0. A statistic that is not defined, such as the mean
// of text or the sd of one value, is NaN.
func Describe(df dataframe.DataFrame) (dataframe.DataFrame, error) {
	if err := checkFrame(df); err != nil {
		return dataframe.DataFrame{}, err
	}
	names := df.Names()
	var types []string
	var counts [3][]int // n, missing, distinct
	statistics := []string{"mean", "sd", "min", "q25", "median", "q75", "max"}
	stats := make([][]float64, len(statistics))
	columns := columnsByReference(df)
	for _, name := range names {
		c, err := columnOf(df, columns, name)
		if err != nil {
			return dataframe.DataFrame{}, err
		}
		kind := string(c.typ)
		if _, dates := c.dates(); dates {
			kind = "date"
		}
		types = append(types, kind)
		counts[0] = append(counts[0], len(c.missing)-c.count)
		counts[1] = append(counts[1], c.count)
		values, distinct := c.statistics()
		counts[2] = append(counts[2], distinct)
		for k, v := range values {
			stats[k] = append(stats[k], v)
		}
	}
	cols := []Column{
		Col("variable", names), Col("type", types),
		Col("n", counts[0]), Col("missing", counts[1]), Col("distinct", counts[2]),
	}
	for k, name := range statistics {
		cols = append(cols, Col(name, stats[k]))
	}
	return Frame(cols...)
}

// statistics returns mean, sd, minimum, quartiles and maximum of the values that are not missing, and how many of
// them are distinct.
func (c *column) statistics() (values [7]float64, distinct int) {
	nan := math.NaN()
	x := slices.DeleteFunc(slices.Clone(c.num), math.IsNaN)
	if len(x) == 0 {
		return [7]float64{nan, nan, nan, nan, nan, nan, nan}, len(c.levels(nil))
	}
	slices.Sort(x)
	distinct = 1
	for i, v := range x[1:] {
		if v != x[i] {
			distinct++
		}
	}
	if c.low != nil { // several whole numbers may have one float64
		distinct = len(c.levels(nil))
	}
	n := float64(len(x))
	var mean float64
	for i, v := range x {
		mean += (v - mean) / float64(i+1)
	}
	var ss, drift float64
	for _, v := range x {
		ss += (v - mean) * (v - mean)
		drift += v - mean
	}
	sd := nan
	if n > 1 {
		sd = math.Sqrt(math.Max(0, ss-drift*drift/n) / (n - 1))
	}
	values = [7]float64{mean + drift/n, sd, x[0], mlreg.SampleQuantile(x, .25), mlreg.SampleQuantile(x, .5), mlreg.SampleQuantile(x, .75), x[len(x)-1]}
	return values, distinct
}

// Info describes a frame in one line: the number of rows, of columns, of
// columns of each type, and of missing values.
//
//	67 rows, 9 columns: 5 float, 4 int; no missing values
func Info(df dataframe.DataFrame) (string, error) {
	if err := checkFrame(df); err != nil {
		return "", err
	}
	counts := make(map[series.Type]int)
	missing := 0
	columns := columnsByReference(df)
	for _, name := range df.Names() {
		c, err := columnOf(df, columns, name)
		if err != nil {
			return "", err
		}
		counts[c.typ]++
		missing += c.count
	}
	var types []string
	for _, t := range []series.Type{series.Float, series.Int, series.Bool, series.String} {
		if counts[t] > 0 {
			types = append(types, fmt.Sprintf("%d %s", counts[t], t))
		}
	}
	gaps := "no missing values"
	if missing > 0 {
		gaps = fmt.Sprintf("%d missing values", missing)
	}
	return fmt.Sprintf("%d rows, %d columns: %s; %s", df.Nrow(), df.Ncol(), strings.Join(types, ", "), gaps), nil
}
