package main

// Case is one comparison: a call on a table. Peers read it as JSON.
type Case struct {
	ID      string `json:"id"`   // seed/number
	Kind    string `json:"kind"` // lm, glm, ...: what is called
	Data    string `json:"data"` // the name of the table
	File    string `json:"file"` // its file, and that of the rows to predict
	NewFile string `json:"newfile"`

	Formula string  `json:"formula"`
	Weights string  `json:"weights,omitempty"` // a column, or none
	Level   float64 `json:"level"`             // of limits

	// Of a stepwise selection: forward, backward or both, and by AIC or BIC.
	Direction string `json:"direction,omitempty"`
	BIC       bool   `json:"bic,omitempty"`

	// Of penalized fits.
	Lambda        []float64 `json:"lambda,omitempty"`
	Alpha         float64   `json:"alpha,omitempty"`
	Standardize   bool      `json:"standardize,omitempty"`
	PenaltyFactor bool      `json:"penaltyfactor,omitempty"` // 1, 2, 3, 1, 2, 3 ... of the columns
	Folds         []int     `json:"folds,omitempty"`         // of the rows of the table, from 0

	// Of posteriors: g or the slab's variance, the prior of a model, the noise.
	Variance float64 `json:"variance,omitempty"` // of the prior of coefficients
	Prior    string  `json:"prior,omitempty"`    // of models: uniform, fixed or random
	Size     float64 `json:"size,omitempty"`     // expected number of terms of a model
	Noise    float64 `json:"noise,omitempty"`    // known noise variance, or none
	Shape    float64 `json:"shape,omitempty"`    // of the inverse gamma prior of the noise variance
	Scale    float64 `json:"scale,omitempty"`

	response    string // its column
	table, rows *table // the data, and the rows to predict
}

// name is what make differential reruns the case by.
func (c *Case) name() string { return "CASE=" + c.ID }

// call is what is called, in a line.
func (c *Case) call() string {
	call := c.Kind + "(" + c.Formula + ", " + c.Data
	if c.Weights != "" {
		call += ", weights"
	}
	return call + ")"
}
