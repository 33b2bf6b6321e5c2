// Package failing tells whether a cell of a notebook failed, by what it left behind: the
// kernel itself reports success after an unknown magic or a shell command that failed.
package failing

import "regexp"

// left is what a cell that failed leaves on stderr; the last is GoNB's message of an unknown magic.
var left = regexp.MustCompile(`(?m)^(panic: |fatal error: |exit status \d+|signal: )|unknown or not implemented yet`)

// Cell reports whether a cell that left this on stderr failed.
func Cell(stderr string) bool { return left.MatchString(stderr) }
