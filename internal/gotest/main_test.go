package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// What fails is named with a command that runs it, and it only.
func TestFailures(t *testing.T) {
	t.Setenv("REGBOOK_KERNELS", "avx2")
	t.Setenv("CGO_ENABLED", "")
	t.Setenv("GOWORK", "")
	var out bytes.Buffer
	err := run([]string{"-timeout", "5m", "-run", "Fails|Passes", "./testdata/failing"}, &out)
	if err == nil || err.Error() != "2 failed" {
		t.Errorf("the error is %v", err)
	}
	text := out.String()
	for _, want := range []string{"1 is not 2", "3 is not 4", "FAIL\tgithub.com/regbook/regbook/internal/gotest/testdata/failing"} {
		if !strings.Contains(text, want) {
			t.Errorf("not printed: %s\n%s", want, text)
		}
	}
	if strings.Contains(text, "of no interest") {
		t.Errorf("what passes is printed:\n%s", text)
	}
	_, list, _ := strings.Cut(text, "runs it alone:\n")
	commands := strings.Split(strings.TrimSpace(list), "\n")
	if len(commands) != 2 {
		t.Fatalf("commands %q", commands)
	}
	for i, want := range []string{"1 is not 2", "3 is not 4"} {
		if !strings.Contains(commands[i], "REGBOOK_KERNELS=avx2 go test -run") {
			t.Errorf("command %s", commands[i])
		}
		alone, err := exec.Command("sh", "-c", commands[i]).CombinedOutput()
		if other := []string{"3 is not 4", "1 is not 2"}[i]; err == nil || !strings.Contains(string(alone), want) || strings.Contains(string(alone), other) {
			t.Errorf("%s: %v\n%s", commands[i], err, alone)
		}
	}
}

// A package that does not compile fails as a whole.
func TestNoSuchPackage(t *testing.T) {
	var out bytes.Buffer
	if err := run([]string{"./testdata/nowhere"}, &out); err == nil {
		t.Errorf("no error, and printed\n%s", out.String())
	}
	out.Reset()
	if err := run([]string{"-C", "testdata", "-run", "AlsoFails", "./failing"}, &out); err == nil ||
		!strings.Contains(out.String(), "go test -C testdata -run '^TestAlsoFails$' github.com/regbook") {
		t.Errorf("%v\n%s", err, out.String())
	}
	out.Reset()
	if err := run([]string{"-run", "Passes", "./testdata/failing"}, &out); err != nil || !strings.HasPrefix(out.String(), "ok") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// Of several runs each has its own variables and folder; all are made, whatever fails.
func TestRuns(t *testing.T) {
	t.Setenv("REGBOOK_KERNELS", "")
	t.Setenv("CGO_ENABLED", "")
	t.Setenv("GOWORK", "")
	var out bytes.Buffer
	err := run(strings.Fields("REGBOOK_KERNELS=avx2 -vet=off -run AlsoFails ./testdata/failing -- "+
		"./testdata/nowhere -- "+
		"-C testdata -vet=off -run AlsoFails ./failing -- "+
		"REGBOOK_KERNELS=portable -run Passes ./testdata/failing"), &out)
	text := out.String()
	if err == nil || err.Error() != "3 failed" {
		t.Errorf("the error is %v", err)
	}
	for _, want := range []string{
		"\tREGBOOK_KERNELS=portable\n", "  go test ./testdata/nowhere\n",
		"  REGBOOK_KERNELS=avx2 go test -vet=off -run '^TestAlsoFails$' github.com/regbook",
		"  go test -C testdata -vet=off -run '^TestAlsoFails$' github.com/regbook",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("not printed: %q\n%s", want, text)
		}
	}
}
