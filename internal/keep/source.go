package keep

import (
	"bufio"
	"os"
	"reflect"
	"runtime"
	"strings"
)

// FunctionText returns the lines in which a function stands in its source, from its
// first to the one that closes its braces; false if the source is not at hand. The
// source of a cell is, so that a value is computed again when its function changes.
// The lines may have more in them than the function.
func FunctionText(function any) (text string, ok bool) {
	f := runtime.FuncForPC(reflect.ValueOf(function).Pointer())
	if f == nil {
		return "", false
	}
	path, line := f.FileLine(f.Entry())
	file, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer file.Close() // read only
	var b strings.Builder
	depth, open := 0, false
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if n < line {
			continue
		}
		s := lines.Text()
		b.WriteString(strings.TrimSpace(s) + "\n")
		depth += strings.Count(s, "{") - strings.Count(s, "}")
		if open = open || strings.Contains(s, "{"); open && depth <= 0 {
			return b.String(), true
		}
	}
	return "", false
}

// Hash is the hash of bytes.
func Hash(label string, b []byte) Dependency { return Dependency{Label: label, Hash: hashed(b)} }
