package frames_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

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
	// dose     string  1 ("n/a" in row 2)
	// group    string  0
	// group_2  string  0
	// note: dose: text, though 2 of 3 values are numbers: row 4 has "3.5 mg"
	// repaired: blanks around the name "dose" of column 2 dropped
	// repaired: column 4 was again named "group"; it is "group_2"
	// frames: column "dose" has type float in Types, but row 4 has "3.5 mg"
}

// Percent signs and dates, by functions of their own; dates become days since
// the first of January 1970, as in R's as.numeric(as.Date(x)).
func ExampleCSVSettings_clean() {
	file := "discount;sold on;price\n12,5 %;05.01.2024;1.250,00\n7 %;17.11.2023;980,50\n"
	table := must.M1(frames.ParseCSV(strings.NewReader(file), &frames.CSVSettings{
		Decimal: ',', Thousands: '.',
		Clean: map[string]func(string) string{
			"discount": func(cell string) string { return strings.TrimSuffix(cell, "%") },
			"sold on": func(cell string) string {
				day, err := time.Parse("02.01.2006", cell)
				if err != nil {
					return cell // the report will say that there is text
				}
				return strconv.FormatInt(day.Unix()/86400, 10)
			},
		},
	}))
	fmt.Print(table.Frame)
	// Output:
	// [2x3] DataFrame
	//
	//     discount  sold on price
	//  0: 12.500000 19727   1250.000000
	//  1: 7.000000  19678   980.500000
	//     <float>   <int>   <float>
}

// R: read.csv(f); pandas: read_csv(f).
func ExampleReadCSV() {
	path := filepath.Join(os.TempDir(), "cars.csv")
	must.M(os.WriteFile(path, []byte("speed,dist\n4,2\n7,22.5\n"), 0o600))
	table := must.M1(frames.ReadCSV(path, nil))
	fmt.Println(table.Frame)
	must.M(os.Remove(path))
	// Output:
	// [2x2] DataFrame
	//
	//     speed dist
	//  0: 4     2.000000
	//  1: 7     22.500000
	//     <int> <float>
}

// R: readr::parse_number drops the percent sign; here 12,5 % is 0.125.
func ExamplePercent() {
	file := "shop;discount\nA;12,5 %\nB;7 %\n"
	table := must.M1(frames.ParseCSV(strings.NewReader(file), nil))
	fmt.Println(table.Report.Columns[1].Note)
	table = must.M1(frames.ParseCSV(strings.NewReader(file), &frames.CSVSettings{
		Clean: map[string]func(string) string{"discount": frames.Percent(',')},
	}))
	fmt.Println(must.M1(frames.Floats(table.Frame, "discount")))
	// Output:
	// text, such as "12,5 %" in row 1; to read percentages, set CSVSettings.Clean to frames.Percent(',')
	// [0.125 0.07]
}

// R: readr::parse_number(x), which takes any sign and drops it.
func ExampleCurrency() {
	file := "item,price\nlamp,\"$1,234.50\"\nrefund,($5.00)\ngift,€3\n"
	table := must.M1(frames.ParseCSV(strings.NewReader(file), &frames.CSVSettings{
		Clean: map[string]func(string) string{"price": frames.Currency("$", '.')},
	}))
	fmt.Println(table.Frame.Col("price").Type(), table.Report.Columns[1].Note)
	usd := frames.Currency("$", '.')
	fmt.Println(usd("$1,234.50"), usd("($5.00)"), usd("€3"))
	// Output:
	// string text, though 2 of 3 values are numbers: row 3 has "€3"
	// 123450e-2 -500e-2 €3
}
