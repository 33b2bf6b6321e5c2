package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// checkCall matches a call of exercise.Check with the exercise's id.
var checkCall = regexp.MustCompile(`\bexercise\.Check\("([^"]*)"`)

// unsolved returns the cells with the tag solution whose answers the exercise did not call
// right, nil if there are none.
func (nb *notebook) unsolved() error {
	var fs failures
	for i, c := range nb.Cells {
		if !c.tagged("solution") || c.Type != "code" {
			continue
		}
		var said string
		for _, o := range c.Outputs {
			if o.Type == "stream" && o.Name == "stdout" {
				said += string(o.Text)
			}
		}
		fail := func(message string) {
			fs = append(fs, failure{i + 1, string(c.ExecutionCount), string(c.Source), message})
		}
		calls := checkCall.FindAllStringSubmatch(string(c.Source), -1)
		if calls == nil {
			fail("a solution ends with exercise.Check")
		}
		lines := strings.Split(said, "\n")
		for _, m := range calls {
			if !slices.Contains(lines, m[1]+": right") {
				fail(fmt.Sprintf("the solution of %s is not right:\n%s", m[1], said))
			}
		}
	}
	if fs == nil {
		return nil
	}
	return fs
}

// tagged tells whether a cell has a tag.
func (c *cell) tagged(name string) bool {
	tags, _ := c.Metadata["tags"].([]any)
	return slices.Contains(tags, any(name))
}
