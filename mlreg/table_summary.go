package mlreg

import "strings"

// joined writes the parts of a line, of none no line.
func joined(parts []string) []string {
	if len(parts) == 0 {
		return nil
	}
	return []string{strings.Join(parts, ", ")}
}
