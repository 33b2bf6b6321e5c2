package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// generate draws the case of a seed and a number.
func generate(seed, number uint64) *Case {
	r := newDice(seed, number)
	c := &Case{ID: fmt.Sprintf("%d/%d", seed, number), Level: pick(r, 0.95, 0.9, 0.99)}
	c.table = randomTable(r)
	if r.chance(0.5) {
		c.table = pick(r, ownTables...)
	}
	c.Data = c.table.name
	kinds[r.weighted()].generate(r, c)
	c.rows = rowsToPredict(r, c.table, c.response, c.Weights)
	return c
}

// kinds are what is called, with how often.
var kinds = []struct {
	name     string
	share    int
	generate func(dice, *Case)
	ours     func(*Case) (values, error)
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
func (r dice) weighted() int {
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
	c.response = response.name
	left := quoted(response.name)
	if values, _ := response.numbers(); slices.Min(values) > 0 && r.chance(0.15) {
		left = pick(r, "log(", "sqrt(") + left + ")"
	}
	c.Formula = f.draw(left, response.name)
}

// binary draws the formula of a response of two classes. A table without a column of 0
// and 1, or of two texts, is replaced by a random one.
func binary(r dice, c *Case, f *formulas) {
	var classes []column
	for _, o := range c.table.columns {
		levels := o.levels()
		if _, number := o.numbers(); len(levels) == 2 && (!number || slices.Equal(levels, []string{"0", "1"})) {
			classes = append(classes, o)
		}
	}
	if len(classes) == 0 {
		c.table = randomTable(r)
		c.Data = c.table.name
		at := slices.IndexFunc(c.table.columns, func(o column) bool { return o.name == "z" })
		classes = c.table.columns[at:]
	}
	f.table = c.table
	response := pick(r, classes...)
	c.response = response.name
	c.Formula = f.draw(quoted(response.name), response.name)
}

func generateLogistic(r dice, c *Case) {
	c.Kind = "glm"
	binary(r, c, &formulas{dice: r, simple: r.chance(0.6), room: max(2, room(r, c.table)/2)})
	addWeights(r, c, 0.15)
}

func generateStep(r dice, c *Case) {
	c.Kind = "step"
	if c.table = c.table.complete(); slices.ContainsFunc(c.table.columns, column.gaps) {
		generateSubsets(r, c) // step takes other rows for other terms
		return
	}
	gaussian(r, c, &formulas{dice: r, simple: r.chance(0.5), intercept: true, more: true, room: room(r, c.table)})
	c.Direction = pick(r, "forward", "backward", "backward", "both")
	c.BIC = r.chance(0.4)
	addWeights(r, c, 0.1)
}

func generateSubsets(r dice, c *Case) {
	c.Kind = "subsets"
	gaussian(r, c, &formulas{dice: r, plain: true, intercept: true, more: true, room: min(12, room(r, c.table))})
	addWeights(r, c, 0.2)
}

func generateRidge(r dice, c *Case) {
	c.Kind = "ridge"
	gaussian(r, c, &formulas{dice: r, simple: r.chance(0.5), more: true, intercept: true, room: c.table.len()})
	c.Standardize = r.chance(0.6)
	c.Lambda = []float64{pick(r, 1e-3, 0.1, 1, 10, 1000)}
	addWeights(r, c, 0.2)
}

// penalized draws a formula of at least two columns, which glmnet wants, and its penalties.
func penalized(r dice, c *Case, draw func(dice, *Case, *formulas)) {
	draw(r, c, &formulas{dice: r, simple: true, more: true, intercept: true, room: c.table.len()})
	c.Alpha = pick(r, 1, 1, 0.5, 0.2, 0.9)
	c.Standardize = r.chance(0.6)
	c.PenaltyFactor = r.chance(0.15)
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
	k := r.between(3, 8)
	for i := range c.table.len() {
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
	column := c.table.columns[slices.IndexFunc(c.table.columns, func(o column) bool { return o.name == c.response })]
	values, _ := column.numbers()
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
	v, err := strconv.ParseFloat(text(v, 3), 64)
	if err != nil {
		panic(err)
	}
	return v
}

func generateBMS(r dice, c *Case) {
	c.Kind = "bms"
	gaussian(r, c, &formulas{dice: r, plain: true, intercept: true, more: true, room: min(8, room(r, c.table))})
	c.Variance = pick(r, 0.0, 0, 10, 100)
	c.Prior = pick(r, "uniform", "fixed", "random")
	c.Size = pick(r, 0.5, 0.8)
}

func generateBayes(r dice, c *Case) {
	c.Kind = "bayes"
	gaussian(r, c, &formulas{dice: r, simple: true, room: room(r, c.table)})
	c.Variance = pick(r, 0.01, 1, 100)
	switch r.IntN(3) {
	case 0:
		c.Noise = rounded(c.spread() * c.spread() * pick(r, 0.1, 1))
	case 1:
		c.Shape, c.Scale = pick(r, 0.5, 1, 3), pick(r, 0.5, 1, 10)
	}
	addWeights(r, c, 0.2)
}

// room is how many columns a design may have: at most a third of the rows, and now and
// then as many as there are rows.
func room(r dice, t *table) int {
	if r.chance(0.02) {
		return t.len()
	}
	return min(t.len()/3, 25)
}

// addWeights gives a case a column of weights, with probability p.
func addWeights(r dice, c *Case, p float64) {
	if r.chance(p) {
		c.table = c.table.with(randomWeights(r, c.table.len()))
		c.Weights = "w"
	}
}

// randomNumber picks the response of a table: y of a random one, else a column of at least
// six numbers.
func randomNumber(r dice, t *table) column {
	var numbers []column
	for _, c := range t.columns {
		if values, number := c.numbers(); c.name == "y" && t.name == "random" {
			return c
		} else if number && len(values) > 0 && len(c.levels()) > 5 {
			numbers = append(numbers, c)
		}
	}
	return pick(r, numbers...)
}
