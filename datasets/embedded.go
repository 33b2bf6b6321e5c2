package datasets

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/frames"
)

//go:embed data/*.csv data/*.csv.gz data/nist/*.json
var files embed.FS

// read returns an embedded file, unpacked: every program with a data set has all files in it, so that a
// large one is packed. It panics if there is none, which a test rules out; load and built
// panic likewise.
func read(file string) []byte {
	data, err := files.ReadFile("data/" + file)
	if err == nil && strings.HasSuffix(file, ".gz") {
		var r *gzip.Reader
		if r, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, err = io.ReadAll(r)
		}
	}
	if err != nil {
		panic(fmt.Sprintf("datasets: %v", err))
	}
	return data
}

// load returns an embedded table.
func load(file string) dataframe.DataFrame {
	table, err := frames.ParseCSV(bytes.NewReader(read(file)), nil)
	if err != nil {
		panic(fmt.Sprintf("datasets: %s: %v", file, err))
	}
	return table.Frame
}

// header returns the column names of an embedded table.
func header(file string) []string {
	line, _, _ := bytes.Cut(read(file), []byte("\n"))
	return strings.Split(strings.TrimSpace(string(line)), ",")
}

// Prostate returns the prostate cancer data of Stamey et al. (1989), 97 men:
// lcavol, lweight, age, lbph, svi, lcp, gleason, pgg45, the response lpsa, and
// train, which is T for the 67 training rows of The Elements of Statistical
// Learning and F for its 30 test rows. Columns that begin with l are
// natural logarithms.
func Prostate() dataframe.DataFrame { return load("prostate.csv") }

// Diabetes returns the diabetes data of Efron et al. (2004), 442 patients: ten
// baseline variables in their raw units (age, sex, bmi, bp, s1 ... s6), and the
// response progression.
func Diabetes() dataframe.DataFrame { return load("diabetes.csv") }

// DiabetesQuadratic returns the diabetes data with 64 predictors, the quadratic model of
// Efron et al. (2004, section 3): the ten of Diabetes, each standardized over the 442
// patients (mean 0, variance 1 with ddof = 0), their 45 products, named age.sex, and the
// 9 squares of all but sex, which has two values, named age.age; and progression. Products
// and squares are of standardized columns and are not standardized again.
func DiabetesQuadratic() dataframe.DataFrame {
	raw := Diabetes()
	names := raw.Names()[:10]
	z := make([][]float64, len(names))
	var columns []frames.Column
	add := func(name string, values []float64) { columns = append(columns, frames.Col(name, values)) }
	for j, name := range names {
		z[j] = raw.Col(name).Float()
		mean, variance := stat.PopMeanVariance(z[j], nil)
		for i := range z[j] {
			z[j][i] = (z[j][i] - mean) / math.Sqrt(variance)
		}
		add(name, z[j])
	}
	for j, a := range names {
		for k := j; k < len(names); k++ {
			name := a + "." + names[k]
			if name == "sex.sex" {
				continue
			}
			product := make([]float64, raw.Nrow())
			for i := range product {
				product[i] = z[j][i] * z[k][i]
			}
			add(name, product)
		}
	}
	add("progression", raw.Col("progression").Float())
	return built(columns...)
}

// Caterpillar returns the pine processionary caterpillar data of Tomassone et al.
// (1992), 33 areas: x1 ... x10, which describe the forest, and the response y,
// nests per tree. Marin and Robert (Bayesian Core, 2007) model log(y).
func Caterpillar() dataframe.DataFrame { return load("caterpillar.csv") }

// CO2 returns the monthly means of carbon dioxide at Mauna Loa, 1959 to 1997, 468 months:
// month, the date of its first day, and co2 in ppm. Three months of 1964 are interpolated.
func CO2() dataframe.DataFrame { return load("co2.csv") }

// Lynx returns the numbers of lynx trapped in a district of Canada in the 114 years from
// 1821 to 1934: year and lynx. They rise and fall in cycles of about ten years.
func Lynx() dataframe.DataFrame { return load("lynx.csv") }

// Spambase returns the UCI spam data of Hopkins et al. (1999), 4601 e-mails: 48
// word and 6 character frequencies in percent, 3 lengths of runs of capitals, and
// type, which is spam or nonspam.
func Spambase() dataframe.DataFrame { return load("spambase.csv.gz") }

// Exam returns the London examination data of Goldstein et al. (1993), 4059
// pupils of 65 schools: the response normexam, a score at 16, standLRT, one at
// 11, both in standard deviations, sex, the bands vr and intake, and the
// school's number, type, gender and average intake.
func Exam() dataframe.DataFrame { return load("exam.csv") }

// Longley returns the macroeconomic data of Longley (1967), the 16 years from
// 1947 to 1962, under the names and in the units that R gives them: the response
// Employed, and six nearly collinear predictors.
func Longley() dataframe.DataFrame { return load("longley.csv") }

// Engel returns the household budgets of Engel (1857), 235 working-class families in
// Belgium: the income, and what they spent on food, foodexp, both in francs a year.
func Engel() dataframe.DataFrame { return load("engel.csv") }

// StackLoss returns the data of Brownlee (1965) on 21 days of a plant that oxidizes
// ammonia: AirFlow, WaterTemp and AcidConc, and the response StackLoss, the ammonia lost.
// They are known for four outliers, the rows 1, 3, 4 and 21.
func StackLoss() dataframe.DataFrame { return load("stackloss.csv") }

// AirQuality returns the ozone and weather data of Chambers et al. (1983), the 153 days
// from May to September 1973 in New York: Date, Ozone, Solar, Wind and Temp. Ozone is
// missing on 37 days, Solar on 7.
func AirQuality() dataframe.DataFrame { return load("airquality.csv") }

// Insurance returns the claims of car insurance of Baxter et al. (1980), the 64
// combinations of district (1 to 4), engine (its size) and age of the policyholder: the
// number of holders exposed to the risk in the third quarter of 1973, and the number of
// claims that they made. The levels of engine and age stand in their order in the rows:
//
//	claims ~ factor(district) + factor(engine, levels = unique(engine)) +
//	    factor(age, levels = unique(age)) + offset(log(holders))
func Insurance() dataframe.DataFrame { return load("insurance.csv") }

// EightSchools returns estimates of the effect of coaching on test scores in
// eight schools, in points (Rubin 1981): school, effect, and its standard error se.
func EightSchools() dataframe.DataFrame {
	return built(
		frames.Col("school", []string{"A", "B", "C", "D", "E", "F", "G", "H"}),
		frames.Col("effect", []float64{28, 8, -3, 7, -1, 1, 18, 12}),
		frames.Col("se", []float64{15, 10, 16, 11, 9, 11, 10, 18}),
	)
}

// ReplicatedBenchmarks returns the accuracy of nine classifiers of pictures, in percent, on
// the test set on which they were developed (original) and on a new one made in the
// same way (fresh), of the benchmarks CIFAR-10 and ImageNet (Recht et al. 2019, table 1 in
// part; top-1 accuracy, the new ImageNet set is MatchedFrequency).
func ReplicatedBenchmarks() dataframe.DataFrame {
	return built(
		frames.Col("benchmark", []string{"CIFAR-10", "CIFAR-10", "CIFAR-10", "ImageNet", "ImageNet", "ImageNet", "ImageNet", "ImageNet", "ImageNet"}),
		frames.Col("model", []string{
			"autoaug_pyramid_net", "resnet_basic_110", "random_features_256k", "pnasnet_large_tf", "resnet152", "densenet161", "vgg19_bn", "alexnet", "fv_64k",
		}),
		frames.Col("original", []float64{98.4, 93.5, 85.6, 82.9, 78.3, 77.1, 74.2, 56.5, 35.1}),
		frames.Col("fresh", []float64{95.5, 85.2, 73.1, 72.2, 67.0, 65.3, 61.9, 44.0, 24.1}),
	)
}

// Projection returns three observations whose least-squares fit can be drawn
// in three dimensions: the response y, the columns x1 and x2 that span a
// plane, and x3 = 2 x1 - 2 x2, another vector in that plane. The projection of
// y onto the plane, the fit of y ~ x1 + x2 - 1, is
//
//	2.5 x1 - 1.5 x2 = (5, 2, -1),
//
// with residual (1, -2, 1) of norm sqrt(6), while y - x3 has norm sqrt(20).
func Projection() dataframe.DataFrame {
	return built(
		frames.Col("x1", []float64{2, 2, 2}),
		frames.Col("x2", []float64{0, 2, 4}),
		frames.Col("x3", []float64{4, 0, -4}),
		frames.Col("y", []float64{6, 0, 0}),
	)
}

func built(columns ...frames.Column) dataframe.DataFrame {
	df, err := frames.Frame(columns...)
	if err != nil {
		panic(fmt.Sprintf("datasets: %v", err))
	}
	return df
}
