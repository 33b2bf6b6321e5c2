package frames_test

import (
	"fmt"
	"strings"

	"github.com/go-gota/gota/series"
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/frames"
)

func ExampleParseCSV() {
	file := "id; dose ;group;group\n1;2.5;a;x\n2;n/a;b;y\n3;4;a;z\n4;3.5 mg;b;x\n"
	table := must.M1(frames.ParseCSV(strings.NewReader(file), nil))
	fmt.Print(table.Report)

	// What the report found would be an error if the type is insisted on.
	_, err := frames.ParseCSV(strings.NewReader(file), &frames.CSVSettings{
		Types: map[string]series.Type{"dose": series.Float},
	})
	fmt.Println(err)
	// Output:
	// 4 rows, 4 columns, separated by semicolon
	// column   type    missing
	// id       int     0
	// dose     string  1 ("n/a")
	// group    string  0
	// group_2  string  0
	// note: dose: text, though 2 of 3 values are numbers: row 4 has "3.5 mg"
	// repaired: column 4 was again named "group"; it is "group_2"
	// frames: column "dose" is to be of type float: row 4 has "3.5 mg"
}

func ExampleReadCSV() {
	table := must.M1(frames.ReadCSV("testdata/prostate.csv", nil))
	fmt.Println(table.Frame.Dims())
	// Output: 97 10
}
