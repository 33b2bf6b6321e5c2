package plotting

import (
	"math"
	"strconv"
	"time"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/plotting/internal/check"
)

const secondsADay = 24 * 60 * 60

// dateColumn returns a column of dates as days since 1970-01-01, NaN where a value is
// missing; ok tells whether it is one.
func dateColumn(df dataframe.DataFrame, name string) (days []float64, ok bool) {
	times, err := frames.Dates(df, name)
	if err != nil {
		return nil, false
	}
	missing := df.Col(name).IsNaN()
	for i, t := range times {
		days = append(days, dayOf(t))
		if missing[i] {
			days[i] = math.NaN()
		}
	}
	return days, true
}

// dayOf returns the days from 1970-01-01 to t, with their fraction.
func dayOf(t time.Time) float64 {
	return float64(t.Unix())/secondsADay + float64(t.Nanosecond())/(1e9*secondsADay)
}

// timeOf returns the time of a number of days since 1970-01-01.
func timeOf(day float64) time.Time {
	whole := math.Floor(day)
	seconds := (day - whole) * secondsADay
	return time.Unix(int64(whole)*secondsADay, int64(math.Round(seconds*1e6))*1e3).UTC()
}

// DateX gives the plot a horizontal axis of dates: x are days since 1970-01-01.
type DateX struct{}

func (DateX) addTo(p *plot.Plot, _ *autoColor) error {
	p.X.Tick.Marker = DateTicks{}
	return nil
}

// DateTicks marks an axis of dates at the beginnings of years, months, days or hours,
// whichever are few enough. Values are days since 1970-01-01, and weeks begin on
// Monday. The first label of a year has the year below it. Set it as Tick.Marker of
// an axis, or use the layer DateX. A range that reaches beyond the years 1 to 9999 has
// the marks of type Ticks.
type DateTicks struct {
	// Target is the number of marks to come close to. The default, 0, is 5; Show and
	// Figure.Save choose it by the length of the axis.
	Target int
}

func (t DateTicks) free() bool { return t.Target == 0 }

func (t DateTicks) aim(target int) plot.Ticker { return DateTicks{Target: target} }

// calendarStep is a distance of marks: so many months, or so many seconds.
type calendarStep struct {
	months  int
	seconds int64
}

var calendarSteps = []calendarStep{
	{0, 1}, {0, 5}, {0, 15}, {0, 30}, {0, 60}, {0, 5 * 60}, {0, 15 * 60}, {0, 30 * 60},
	{0, 3600}, {0, 3 * 3600}, {0, 6 * 3600}, {0, 12 * 3600},
	{0, secondsADay}, {0, 2 * secondsADay}, {0, 7 * secondsADay}, {0, 14 * secondsADay},
	{1, 0}, {2, 0}, {3, 0}, {6, 0}, {12, 0}, {24, 0}, {60, 0}, {120, 0}, {240, 0}, {600, 0}, {1200, 0}, {2400, 0}, {6000, 0}, {12000, 0},
}

// days returns the length of a step, in the mean over the years.
func (s calendarStep) days() float64 {
	return float64(s.months)*365.2425/12 + float64(s.seconds)/secondsADay
}

// first returns the first mark at or after t.
func (s calendarStep) first(t time.Time) time.Time {
	if s.months > 0 {
		month := 12*t.Year() + int(t.Month()) - 1
		at := s.month(month - month%s.months)
		if at.Before(t) {
			at = s.next(at)
		}
		return at
	}
	const monday = 4 * secondsADay // 1970-01-05
	since := t.Unix() - monday
	if t.Nanosecond() > 0 {
		since++
	}
	steps := since / s.seconds
	if steps*s.seconds < since {
		steps++
	}
	return time.Unix(monday+steps*s.seconds, 0).UTC()
}

// month returns the beginning of a month, counted from January of the year 0.
func (calendarStep) month(m int) time.Time {
	return time.Date(m/12, time.Month(m%12+1), 1, 0, 0, 0, 0, time.UTC)
}

// next returns the mark after t.
func (s calendarStep) next(t time.Time) time.Time {
	if s.months > 0 {
		return s.month(12*t.Year() + int(t.Month()) - 1 + s.months)
	}
	return t.Add(time.Duration(s.seconds) * time.Second)
}

// label writes the mark at t, and below it what a reader needs to know once: before
// is the mark to the left, zero if there is none.
func (s calendarStep) label(t, before time.Time) string {
	newYear := before.IsZero() || before.Year() != t.Year()
	switch {
	case s.months >= 12:
		return strconv.Itoa(t.Year())
	case s.months > 0 && newYear:
		return t.Format("Jan\n2006")
	case s.months > 0:
		return t.Format("Jan")
	case s.seconds >= secondsADay && newYear:
		return t.Format("Jan 2\n2006")
	case s.seconds >= secondsADay:
		return t.Format("Jan 2")
	}
	clock := "15:04"
	if s.seconds < 60 {
		clock = time.TimeOnly
	}
	switch {
	case newYear:
		return t.Format(clock + "\nJan 2 2006")
	case before.YearDay() != t.YearDay():
		return t.Format(clock + "\nJan 2")
	}
	return t.Format(clock)
}

// Ticks implements plot.Ticker.
func (t DateTicks) Ticks(min, max float64) []plot.Tick {
	if min > max {
		min, max = max, min
	}
	year1, year10000 := -719162.0, 2932897.0
	if !check.IsFinite(min) || !check.IsFinite(max) || min < year1 || max >= year10000 || (min < max && max-min < 2./secondsADay) {
		return Ticks{Target: t.Target}.Ticks(min, max)
	}
	if min == max {
		return []plot.Tick{{Value: min, Label: timeOf(min).Format(time.DateOnly)}}
	}
	target := t.Target
	if target <= 0 {
		target = 5
	}
	var ticks []plot.Tick
	for k := closestStep(max-min, float64(target)); k >= 0 && len(ticks) < 2; k-- { // one mark is no scale
		ticks = calendarSteps[k].ticks(min, max)
	}
	return ticks
}

// closestStep returns the number of the step that cuts a range of days into about so
// many parts.
func closestStep(days, target float64) int {
	best, bestRatio := 0, math.Inf(1)
	for k, s := range calendarSteps {
		if ratio := math.Abs(math.Log(days / s.days() / target)); ratio < bestRatio && days/s.days() < mostTicks {
			best, bestRatio = k, ratio
		}
	}
	return best
}

func (s calendarStep) ticks(min, max float64) []plot.Tick {
	var ticks []plot.Tick
	var before time.Time
	for at := s.first(timeOf(min)); dayOf(at) <= max; at = s.next(at) {
		ticks = append(ticks, plot.Tick{Value: dayOf(at), Label: s.label(at, before)})
		before = at
	}
	return ticks
}
