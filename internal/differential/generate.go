package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/regbook/regbook/internal/randomtable"
	"gonum.org/v1/gonum/stat"
)

// generate draws the case of a seed and a number.
func generate(seed, number uint64) *Case {
	r := randomtable.NewDice(seed, number)
	c := &Case{ID: fmt.Sprintf("%d/%d", seed, number), Level: randomtable.Pick(r, 0.95, 0.9, 0.99)}
	c.table = randomtable.Random(r)
	if r.Chance(0.5) {
		c.table = randomtable.Pick(r, ownTables...)
	}
	c.Data = c.table.Name
	kinds[weighted(r)].generate(r, c)
	c.rows = rowsToPredict(r, c.table, c.response, c.Weights)
	return c
}

// kinds are what is called, with how often.
var kinds = []struct {
	name     string
	share    int
	generate func(dice, *Case)
	ours     func(*Case) values
}{
	{"lm", 45, generateLM, oursLM},
	{"glm", 15, generateLogistic, oursLogistic},
	{"step", 10, generateStep, oursStep},
	{"subsets", 5, generateSubsets, oursSubsets},
	{"ridge", 6, generateRidge, oursRidge},
	{"glmnet", 8, generateElasticNet, oursElasticNet},
	{"cv", 3, generateCV, oursCV},
	{"logisticnet", 4, generateLogisticNet, oursLogisticNet},
	{"bms", 3, generateBMS, oursBMS},
	{"bayes", 4, generateBayes, oursBayes},
}

// weighted draws a kind by its share.
func weighted(r dice) int {
	total := 0
	for _, k := range kinds {
		total += k.share
	}
	at := r.IntN(total)
	for i, k := range kinds {
		if at -= k.share; at < 0 {
			return i
		}
	}
	panic("unreachable")
}

func generateLM(r dice, c *Case) {
	c.Kind = "lm"
	gaussian(r, c, &formulas{dice: r, room: room(r, c.table)})
	addWeights(r, c, 0.2)
}

// gaussian draws the formula of a numeric response.
func gaussian(r dice, c *Case, f *formulas) {
	f.table = c.table
	response := randomNumber(r, c.table)
	c.response = response.Name
	left := quoted(response.Name)
	if values, _ := response.Numbers(); slices.Min(values) > 0 && r.Chance(0.15) {
		left = randomtable.Pick(r, "log(", "sqrt(") + left + ")"
	}
	c.Formula = f.draw(left, response.Name)
}

// binary draws the formula of a response of two classes. A table without a column of 0
// and 1, or of two texts, is replaced by a random one.
func binary(r dice, c *Case, f *formulas) {
	var classes []column
	for _, o := range c.table.Columns {
		levels := o.Levels()
		if _, number := o.Numbers(); len(levels) == 2 && (!number || slices.Equal(levels, []string{"0", "1"})) {
			classes = append(classes, o)
		}
	}
	if len(classes) == 0 {
		c.table = randomtable.Random(r)
		c.Data = c.table.Name
		at := slices.IndexFunc(c.table.Columns, func(o column) bool { return o.Name == "z" })
		classes = c.table.Columns[at:]
	}
	f.table = c.table
	response := randomtable.Pick(r, classes...)
	c.response = response.Name
	c.Formula = f.draw(quoted(response.Name), response.Name)
}

func generateLogistic(r dice, c *Case) {
	c.Kind = "glm"
	binary(r, c, &formulas{dice: r, simple: r.Chance(0.6), room: max(2, room(r, c.table)/2)})
	addWeights(r, c, 0.15)
}

func generateStep(r dice, c *Case) {
	c.Kind = "step"
	if c.table = c.table.Complete(); slices.ContainsFunc(c.table.Columns, column.Gaps) {
		generateSubsets(r, c) // step takes other rows for other terms
		return
	}
	gaussian(r, c, &formulas{dice: r, simple: r.Chance(0.5), intercept: true, more: true, room: room(r, c.table)})
	c.Direction = randomtable.Pick(r, "forward", "backward", "backward", "both")
	c.BIC = r.Chance(0.4)
	addWeights(r, c, 0.1)
}

func generateSubsets(r dice, c *Case) {
	c.Kind = "subsets"
	gaussian(r, c, &formulas{dice: r, plain: true, intercept: true, more: true, room: min(12, room(r, c.table))})
	addWeights(r, c, 0.2)
}

func generateRidge(r dice, c *Case) {
	c.Kind = "ridge"
	gaussian(r, c, &formulas{dice: r, simple: r.Chance(0.5), more: true, intercept: true, room: c.table.Len()})
	c.Standardize = r.Chance(0.6)
	c.Lambda = []float64{randomtable.Pick(r, 1e-3, 0.1, 1, 10, 1000)}
	addWeights(r, c, 0.2)
}

// penalized draws a formula of at least two columns, which glmnet wants, and its penalties.
func penalized(r dice, c *Case, draw func(dice, *Case, *formulas)) {
	draw(r, c, &formulas{dice: r, simple: true, more: true, intercept: true, room: c.table.Len()})
	c.Alpha = randomtable.Pick(r, 1, 1, 0.5, 0.2, 0.9)
	c.Standardize = r.Chance(0.6)
	c.PenaltyFactor = r.Chance(0.15)
	addWeights(r, c, 0.15)
}

func generateElasticNet(r dice, c *Case) {
	c.Kind = "glmnet"
	penalized(r, c, gaussian)
	for _, share := range []float64{0.7, 0.2, 0.05, 0.005} {
		c.Lambda = append(c.Lambda, rounded(share*c.spread()/c.Alpha))
	}
}

func generateCV(r dice, c *Case) {
	c.Kind = "cv"
	penalized(r, c, gaussian)
	c.PenaltyFactor = false
	for _, share := range []float64{0.8, 0.4, 0.2, 0.1, 0.05, 0.02, 0.01} {
		c.Lambda = append(c.Lambda, rounded(share*c.spread()/c.Alpha))
	}
	k := r.Between(3, 8)
	for i := range c.table.Len() {
		c.Folds = append(c.Folds, i%k)
	}
	r.Shuffle(len(c.Folds), func(i, j int) { c.Folds[i], c.Folds[j] = c.Folds[j], c.Folds[i] })
}

func generateLogisticNet(r dice, c *Case) {
	c.Kind = "logisticnet"
	penalized(r, c, binary)
	for _, share := range []float64{0.2, 0.05, 0.01} {
		c.Lambda = append(c.Lambda, rounded(share/c.Alpha))
	}
}

// spread is about the standard deviation of the response, in the units of the formula.
func (c *Case) spread() float64 {
	column := c.table.Columns[slices.IndexFunc(c.table.Columns, func(o column) bool { return o.Name == c.response })]
	values, _ := column.Numbers()
	for i, v := range values {
		switch {
		case strings.HasPrefix(c.Formula, "log("):
			values[i] = math.Log(v)
		case strings.HasPrefix(c.Formula, "sqrt("):
			values[i] = math.Sqrt(v)
		}
	}
	return stat.PopStdDev(values, nil)
}

// rounded returns a number with three significant digits.
func rounded(v float64) float64 {
	v, err := strconv.ParseFloat(randomtable.Text(v, 3), 64)
	if err != nil {
		panic(err)
	}
	return v
}

func generateBMS(r dice, c *Case) {
	c.Kind = "bms"
	gaussian(r, c, &formulas{dice: r, plain: true, intercept: true, more: true, room: min(8, room(r, c.table))})
	c.Variance = randomtable.Pick(r, 0.0, 0, 10, 100)
	c.Prior = randomtable.Pick(r, "uniform", "fixed", "random")
	c.Size = randomtable.Pick(r, 0.5, 0.8)
}

func generateBayes(r dice, c *Case) {
	c.Kind = "bayes"
	gaussian(r, c, &formulas{dice: r, simple: true, room: room(r, c.table)})
	c.Variance = randomtable.Pick(r, 0.01, 1, 100)
	switch r.IntN(3) {
	case 0:
		c.Noise = rounded(c.spread() * c.spread() * randomtable.Pick(r, 0.1, 1))
	case 1:
		c.Shape, c.Scale = randomtable.Pick(r, 0.5, 1, 3), randomtable.Pick(r, 0.5, 1, 10)
	}
	addWeights(r, c, 0.2)
}

// room is how many columns a design may have: at most a third of the rows, and now and
// then as many as there are rows.
func room(r dice, t *table) int {
	if r.Chance(0.02) {
		return t.Len()
	}
	return min(t.Len()/3, 25)
}

// addWeights gives a case a column of weights, with probability p.
func addWeights(r dice, c *Case, p float64) {
	if r.Chance(p) {
		c.table = c.table.With(randomtable.Weights(r, c.table.Len()))
		c.Weights = "w"
	}
}

// randomNumber picks the response of a table: y of a random one, else a column of at least
// six numbers.
func randomNumber(r dice, t *table) column {
	var numbers []column
	for _, c := range t.Columns {
		if values, number := c.Numbers(); c.Name == "y" && t.Name == "random" {
			return c
		} else if number && len(values) > 0 && len(c.Levels()) > 5 {
			numbers = append(numbers, c)
		}
	}
	return randomtable.Pick(r, numbers...)
}

// rowsToPredict draws new rows: numbers between those of two rows of the table, at times
// a little beyond, text as it occurs, and at times a missing value of a predictor.
func rowsToPredict(r dice, t *table, response, weights string) *table {
	rows := &table{Name: t.Name}
	n := r.Between(2, 8)
	for _, c := range t.Columns {
		if c.Name == weights {
			continue
		}
		numbers, number := c.Numbers()
		levels := c.Levels()
		fresh := column{Name: c.Name}
		for range n {
			cell := randomtable.Pick(r, levels...)
			if number && len(levels) > 8 {
				a, b, s := randomtable.Pick(r, numbers...), randomtable.Pick(r, numbers...), r.Float64()
				if r.Chance(0.1) {
					s = 1.1
				}
				cell = randomtable.Text(a+s*(b-a), 6)
			}
			if r.Chance(0.01) && c.Name != response {
				cell = randomtable.Missing
			}
			fresh.Cells = append(fresh.Cells, cell)
		}
		rows.Columns = append(rows.Columns, fresh)
	}
	return rows
}
