package frames

import (
	"strings"
	"testing"
)

// A list of missing values without the empty cell makes text of numbers: the error says so.
func TestEmptyCellNote(t *testing.T) {
	file, err := ParseCSV(strings.NewReader("x,y\n1,1\n2,\n3,3\n4,4\n"), &CSVSettings{NA: []string{"-999"}})
	if err != nil {
		t.Fatal(err)
	}
	const want = `row 2 has "", which CSVSettings.NA does not list`
	if _, err := Floats(file.Frame, "y"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Floats: %v", err)
	}
	if _, err := Design(file.Frame, "x ~ y"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Design: %v", err)
	}
}
