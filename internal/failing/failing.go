// Package failing tells whether a cell of a notebook failed, by what it left behind: the
// kernel itself reports success after an unknown magic or a shell command that failed.
package failing

import "regexp"

// left is what they leave on stderr.
var left = regexp.MustCompile(`(?m)^(exit status \d+|signal: )|unknown or not implemented yet`)

// Cell reports whether a cell that the kernel reports as a success, and that left this on stderr, failed.
func Cell(stderr string) bool { return left.MatchString(stderr) }
