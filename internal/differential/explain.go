package main

// explanation is why some quantities differ from R's on purpose, or for R's reasons.
type explanation struct {
	// reason is a sentence of COMING_FROM.md.
	reason  string
	applies func(*disagreement) bool
}

var explanations = []explanation{
	{"R's `dfbetas` of a row of leverage 1 is 0; ours is NaN, since without the row there is no such coefficient.",
		func(d *disagreement) bool { return d.quantity == "dfbetas" && d.ourNaN }},
}

// explain returns the explanation of a disagreement, nil if it has none.
func explain(d *disagreement) *explanation {
	for i := range explanations {
		if explanations[i].applies(d) {
			return &explanations[i]
		}
	}
	return nil
}
