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
