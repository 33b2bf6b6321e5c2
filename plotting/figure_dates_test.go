package plotting

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/plotting/internal/hostile"
)

// Marks stand at the beginnings of years, months, days and hours.
func TestDateTicks(t *testing.T) {
	day := func(s string) float64 {
		at := get(time.Parse("2006-01-02T15:04:05", s))(t)
		return dayOf(at)
	}
	for _, c := range []struct{ from, to, want string }{
		{"1949-01-01T00:00:00", "1960-12-01T00:00:00", "1950 1952 1954 1956 1958 1960"},
		{"2023-11-20T00:00:00", "2024-03-10T00:00:00", "Dec/2023 Jan/2024 Feb Mar"},
		{"2024-02-20T00:00:00", "2024-03-20T00:00:00", "Feb 26/2024 Mar 4 Mar 11 Mar 18"},
		{"2023-12-28T12:00:00", "2024-01-03T00:00:00", "Dec 29/2023 Dec 30 Dec 31 Jan 1/2024 Jan 2 Jan 3"},
		{"2024-02-28T13:00:00", "2024-03-01T01:00:00", "18:00/Feb 28 2024 00:00/Feb 29 06:00 12:00 18:00 00:00/Mar 1"},
		{"2024-01-31T09:58:00", "2024-01-31T10:21:00", "10:00/Jan 31 2024 10:05 10:10 10:15 10:20"},
		{"1204-05-01T00:00:00", "1999-01-01T00:00:00", "1400 1600 1800"},
		{"1970-01-01T00:00:00", "1970-01-01T00:00:00", "1970-01-01"},
	} {
		var got []string
		for _, m := range (DateTicks{}).Ticks(day(c.from), day(c.to)) {
			got = append(got, strings.ReplaceAll(m.Label, "\n", "/"))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s to %s: %s, want %s", c.from, c.to, s, c.want)
		}
	}
}

// Whatever the range, marks are few, finite, ascending and in it, and there are two
// unless the range is a day.
func TestDateTicksHostile(t *testing.T) {
	ranges := hostile.Ranges
	for width := 1e-4; width < 4e6; width *= 1.7 {
		for _, from := range []float64{-719162, -25000.3, 0, 19000.9} {
			ranges = append(ranges, [2]float64{from, from + width})
		}
	}
	for _, c := range ranges {
		for _, target := range []int{0, 2, 8, 500} {
			what := fmt.Sprintf("%d marks of %v to %v", target, c[0], c[1])
			hostile.Within(t, what, func() {
				marks := DateTicks{Target: target}.Ticks(c[0], c[1])
				low, high := math.Min(c[0], c[1]), math.Max(c[0], c[1])
				if math.IsInf(low, 0) || math.IsInf(high, 0) || math.IsNaN(low+high) {
					return
				}
				if len(marks) > 2*mostTicks || len(marks) < 2 && low < high {
					t.Errorf("%s: %d marks", what, len(marks))
				}
				for i, m := range marks {
					slack := 1e-9 * math.Max(1, math.Max(math.Abs(low), math.Abs(high)))
					if m.Value < low-slack || m.Value > high+slack || i > 0 && m.Value <= marks[i-1].Value {
						t.Errorf("%s: a mark at %v", what, m.Value)
					}
				}
			})
		}
	}
}

// Days and times are each other's inverse, and columns that are not of dates are none.
func TestDateColumn(t *testing.T) {
	df := frame(t, frames.Col("day", []string{"1969-12-31", "NaN", "2024-02-29 18:00:00"}), frames.Col("no", []string{"2023-02-29", "2024-01-01", "NaN"}), frames.Col("x", []float64{1, 2, 3}))
	days, ok := dateColumn(df, "day")
	if !ok || days[0] != -1 || !math.IsNaN(days[1]) || days[2] != 19782.75 {
		t.Errorf("%v %v", days, ok)
	}
	for _, day := range []float64{-1, -0.25, 0, 19782.75, 2932896.5} {
		if got := dayOf(timeOf(day)); got != day {
			t.Errorf("%v becomes %v", day, got)
		}
	}
	for _, name := range []string{"no", "x", "none"} {
		if _, ok := dateColumn(df, name); ok {
			t.Errorf("%s is taken for dates", name)
		}
	}
}
