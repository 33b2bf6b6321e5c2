package frames

import (
	"fmt"
	"strings"
	"testing"
)

func benchTable(rows int) string {
	var b strings.Builder
	b.WriteString("y,a,b,g\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d.5,%d,%g,k%d\n", i%997, i%77, float64(i)/7, i%5)
	}
	return b.String()
}

func BenchmarkParseCSV(b *testing.B) {
	for _, rows := range []int{1e2, 1e4, 2e5} {
		text := benchTable(rows)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := ParseCSV(strings.NewReader(text), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDesign(b *testing.B) {
	for _, rows := range []int{1e2, 1e4, 2e5} {
		c := get(ParseCSV(strings.NewReader(benchTable(rows)), nil))(b)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			for b.Loop() {
				if _, err := Design(c.Frame, "y ~ a*g + poly(b, 3) + log(b + 1)"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
