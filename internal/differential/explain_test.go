package main

import (
	"os"
	"strings"
	"testing"
)

// Every reason that excuses a disagreement stands in COMING_FROM.md.
func TestReasonsStandInPage(t *testing.T) {
	page, err := os.ReadFile("../../COMING_FROM.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(page)), " ")
	for _, e := range explanations {
		if !strings.Contains(text, e.reason) {
			t.Errorf("COMING_FROM.md does not say: %s", e.reason)
		}
	}
}
