// Package gallery saves what Examples display, for the site's page of figures and tables: the pictures
// are those that the tested code draws.
package gallery

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/regbook/regbook/plotting"
)

// Folder is the environment variable with the folder to save to.
const Folder = "REGBOOK_GALLERY"

// Main is the TestMain of a package with Examples. If Folder is set, what an Example displays is
// written there, each output to a file of its own,
//
//	CoefPlot.1.png, Show_anova.1.html
//
// and its plain text to CoefPlot.1.txt. It is displayed as text as well, so that the Example
// is checked as always.
func Main(m *testing.M) {
	if dir := os.Getenv(Folder); dir != "" {
		plotting.SetSink(&sink{dir, map[string]int{}})
	}
	os.Exit(m.Run())
}

type sink struct {
	dir   string
	count map[string]int // of outputs, by Example
}

var example = regexp.MustCompile(`_test\.Example(\w*)`)

// Put implements plotting.Sink.
func (s *sink) Put(b plotting.Bundle) error {
	if name := caller(); name != "" {
		s.count[name]++
		file := filepath.Join(s.dir, fmt.Sprintf("%s.%d", name, s.count[name]))
		rich, ending := b.PNG, ".png"
		if b.HTML != "" {
			rich, ending = []byte(b.HTML), ".html"
		}
		if len(rich) > 0 {
			if err := os.WriteFile(file+ending, rich, 0o644); err != nil {
				return err
			}
		}
		if err := os.WriteFile(file+".txt", []byte(b.Text), 0o644); err != nil {
			return err
		}
	}
	return plotting.TextSink{W: os.Stdout}.Put(b) // of now: an Example's is a pipe
}

// caller returns the name of the Example that is running, without its first word.
func caller() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		frame, more := frames.Next()
		if m := example.FindStringSubmatch(frame.Function); m != nil && m[1] != "" {
			return m[1]
		}
		if !more {
			return ""
		}
	}
}
