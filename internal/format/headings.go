package format

// The headings of tables: what one statistic is called, whichever result shows it. The limits of
// an estimate are headed by [Limits].
const (
	StdErr     = "std. error"        // of an estimate
	StdDev     = "std. dev."         // of data, of noise, of a posterior
	MonteCarlo = "Monte Carlo error" // that a finite number of draws leaves
	P          = "p"                 // of a test
	DF         = "df"                // degrees of freedom of a test, a whole number mostly
	DoF        = "dof"               // effective degrees of freedom of a penalized fit
)

// Limits returns the headings of limits at a level, "lower 95%" and "upper 95%" at 0.95; of what,
// "new", say, is put behind. A level of 0 is none.
func Limits(level float64, of string) (lower, upper string) {
	var at string
	if level != 0 {
		at = " " + Percent(level)
	}
	if of != "" {
		at += " of " + of
	}
	return "lower" + at, "upper" + at
}
