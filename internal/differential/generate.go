package main

import (
	"fmt"
	"slices"
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
	{"lm", 50, generateLM, oursLM},
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
	response := randomNumber(r, c.table)
	c.response = response.name
	left := quoted(response.name)
	if values, _ := response.numbers(); slices.Min(values) > 0 && r.chance(0.15) {
		left = pick(r, "log(", "sqrt(") + left + ")"
	}
	f := &formulas{dice: r, table: c.table, room: room(r, c.table)}
	c.Formula = f.draw(left, response.name)
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
