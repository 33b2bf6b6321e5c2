package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// What fails is named with a command that runs it, and it only.
func TestFailures(t *testing.T) {
	t.Setenv("REGBOOK_KERNELS", "avx2")
	t.Setenv("CGO_ENABLED", "")
	t.Setenv("GOWORK", "")
	var out bytes.Buffer
	err := run([]string{"-timeout", "5m", "-run", "Fails|Passes", "./testdata/failing"}, &lines{to: &out}, nil)
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

// What is done is counted: of all runs, by packages, whatever becomes of them.
func TestProgress(t *testing.T) {
	p := &progress{start: time.Now()}
	for _, g := range parse(strings.Fields("./testdata/failing -- -C testdata -race ./failing -- ./testdata/nowhere")) {
		p.count(g)
	}
	has := func(want string) {
		t.Helper()
		if got := p.String(); !strings.HasPrefix(got, "["+want[:1]+" of 2 packages, ") || !strings.HasSuffix(got, want[1:]) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	has("0] compiling")
	p.add("", event{Action: "start", Package: "github.com/regbook/regbook/frames"})
	p.add("-race", event{Action: "start", Package: "github.com/regbook/regbook/mlreg"})
	p.add("", event{Action: "pass", Package: "github.com/regbook/regbook/frames", Test: "TestOne"})
	has("0] frames, mlreg (-race)")
	p.add("", event{Action: "pass", Package: "github.com/regbook/regbook/frames"})
	has("1] mlreg (-race)")
	p.add("-race", event{Action: "fail", Package: "github.com/regbook/regbook/mlreg"})
	has("2] compiling")
}

// The status line of a terminal makes room for what is printed; elsewhere it is a line.
func TestStatus(t *testing.T) {
	var out bytes.Buffer
	l := &lines{to: &out, terminal: true}
	l.status("one")
	l.status(strings.Repeat("ü", 100))
	fmt.Fprintln(l, "ok")
	if want := "one\r\x1b[K" + strings.Repeat("ü", 78) + "…\r\x1b[Kok\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	l = &lines{to: &out}
	tick, stop, done := make(chan time.Time), make(chan struct{}), make(chan struct{})
	go func() {
		l.follow(&progress{start: time.Now(), total: 3}, tick, stop)
		close(done)
	}()
	tick <- time.Now()
	close(stop)
	<-done
	if got := out.String(); !strings.HasPrefix(got, "[0 of 3 packages, ") || !strings.HasSuffix(got, "\n") {
		t.Errorf("%q", got)
	}
}

// A package that does not compile fails as a whole.
func TestNoSuchPackage(t *testing.T) {
	var out bytes.Buffer
	if err := run([]string{"./testdata/nowhere"}, &lines{to: &out}, nil); err == nil {
		t.Errorf("no error, and printed\n%s", out.String())
	}
	out.Reset()
	if err := run([]string{"-C", "testdata", "-run", "AlsoFails", "./failing"}, &lines{to: &out}, nil); err == nil ||
		!strings.Contains(out.String(), "go test -C testdata -run '^TestAlsoFails$' github.com/regbook") {
		t.Errorf("%v\n%s", err, out.String())
	}
	out.Reset()
	if err := run([]string{"-run", "Passes", "./testdata/failing"}, &lines{to: &out}, nil); err != nil || !strings.HasPrefix(out.String(), "ok") {
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
		"REGBOOK_KERNELS=portable -run Passes ./testdata/failing"), &lines{to: &out}, nil)
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
