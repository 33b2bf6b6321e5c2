package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"html/template"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/regbook/regbook/internal/try"
)

// The first page says what this is, shows a live figure, and leads on by four doors.

// firstFigure is the explorable of the first page, and firstPicture its still.
const firstFigure, firstPicture = "FirstLine", "first.svg"

// A stillFigure is an explorable at its defaults, as the engine draws it, and what can be dragged in it.
type stillFigure struct {
	SVG, Sentence string
	Handles       []struct {
		Name, Kind string
		Spots      [][2]float64
	}
}

// drawStills has the engine, compiled for this machine, draw the explorables.
func (s *site) drawStills(ctx context.Context) {
	s.stills = map[string]stillFigure{}
	if s.still {
		return
	}
	program := filepath.Join(s.build, "engine", "native")
	compile := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", program, "./internal/engine")
	compile.Dir = s.root
	try.Get(printedBy(compile))
	answers := asked(ctx, program, map[string]any{"do": "list"})
	var list struct{ Explorables []struct{ Name string } }
	try.Check(json.Unmarshal(answers[0], &list))
	var requests []any
	for _, e := range list.Explorables {
		requests = append(requests, map[string]any{"do": "draw", "name": e.Name})
	}
	answers = asked(ctx, program, requests...)
	for i, e := range list.Explorables {
		var f struct {
			stillFigure
			Error string
		}
		try.Check(json.Unmarshal(answers[i], &f))
		if f.Error != "" {
			try.Fail(errors.New(f.Error))
		}
		s.stills[e.Name] = f.stillFigure
	}
	first, ok := s.stills[firstFigure]
	if !ok {
		try.Fail(fmt.Errorf("there is no explorable %s for the first page", firstFigure))
	}
	s.write(firstPicture, []byte(first.SVG))
}

// asked returns the answers of the engine to requests.
func asked(ctx context.Context, program string, requests ...any) [][]byte {
	var in bytes.Buffer
	for _, r := range requests {
		b := try.Get(json.Marshal(r))
		in.Write(append(b, '\n'))
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Stdin = &in
	out := try.Get(printedBy(cmd))
	var answers [][]byte
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		answers = append(answers, bytes.Clone(lines.Bytes()))
	}
	try.Check(lines.Err())
	if len(answers) != len(requests) {
		try.Fail(fmt.Errorf("the engine gave %d answers to %d requests", len(answers), len(requests)))
	}
	return answers
}

// dragged returns the attribute that tells a page where an explorable can be dragged: the names of its handles, and
// their places as shares of width and height.
func (f stillFigure) dragged() template.HTMLAttr {
	type spot struct {
		Name string  `json:"name"`
		X    float64 `json:"x"`
		Y    float64 `json:"y"`
	}
	var spots []spot
	for _, h := range f.Handles {
		if h.Kind == "drag" {
			spots = append(spots, spot{h.Name, h.Spots[0][0], h.Spots[0][1]})
		}
	}
	b, err := json.Marshal(spots)
	if spots == nil || err != nil {
		return ""
	}
	return template.HTMLAttr(` data-spots="` + html.EscapeString(string(b)) + `"`)
}

var liveCell = regexp.MustCompile(`<div data-live="(\w+)">`)

// withSpots tells the live figures of a page where they can be dragged.
func (s *site) withSpots(page []byte) []byte {
	return liveCell.ReplaceAllFunc(page, func(found []byte) []byte {
		name := string(liveCell.FindSubmatch(found)[1])
		return fmt.Appendf(nil, `<div data-live="%s"%s>`, name, s.stills[name].dragged())
	})
}

var versionHeading = regexp.MustCompile(`(?m)^## (.+)$`)

// version is that of the changelog's first heading.
func (s *site) version() string {
	b := try.Get(os.ReadFile(filepath.Join(s.root, "CHANGELOG.md")))
	m := versionHeading.FindSubmatch(b)
	if m == nil {
		try.Fail(errors.New("CHANGELOG.md has no heading of a version"))
	}
	return strings.ToLower(string(m[1]))
}

// writeIndex writes the first page.
func (s *site) writeIndex() {
	version := s.version()
	still := s.stills[firstFigure]
	s.execute("index.html", "index.html", map[string]any{
		"Frame": s.frame("index.html", "regression that says how sure it is"),
		"Pages": s.pages, "References": s.references(), "MathJax": s.mathjax, "Source": "https://" + module, "Module": module, "Version": version,
		"Figure": firstFigure, "Picture": firstPicture, "Sentence": still.Sentence, "Spots": still.dragged(), "Drawn": still.SVG != "",
	})
}

// abilities say what a reader can do after a page, by its number.
var abilities = map[string]string{
	"00":  "Take a file from its raw cells to a fitted model and a report.",
	"01":  "Derive the best line three ways, and see why its residuals stand at right angles.",
	"02":  "Say how far an estimate may be off, and read an interval without overclaiming.",
	"02b": "Notice skewed or uneven noise and rows that decide, and answer for it.",
	"03":  "Tell how flexible a curve should be, and recognize overfitting when you see it.",
	"03b": "Choose among splines, waves, words and networks, and fit more weights than points.",
	"04":  "State what you know before the data, and update it with them.",
	"04b": "Say what a prior shrinks, and when its posterior can be believed.",
	"05":  "Decide between models without a test set.",
	"06":  "Give every subset of terms a probability, and report it honestly.",
	"06b": "Ask whether any of a set is needed, and draw models where they cannot be summed.",
	"07":  "Find the best subset of each size, and stop before it fits noise.",
	"08":  "Choose few terms out of thousands, and know how close the solution is.",
	"08b": "Say what a penalty assumes about the weights, and what shrinking costs.",
	"09":  "Keep correlated terms, and say when shrinking beats choosing.",
	"09b": "Translate a penalty from program to program, and say when a second one helps.",
	"10":  "Carry one study from raw data to a choice among five methods.",
	"11":  "Predict a probability, and read odds ratios.",
	"11b": "Handle classes that are separated, and the uncertainty of a probability.",
	"12":  "Build a filter from word counts, and check whether its probabilities can be believed.",
	"13":  "State the error on new rows with its limits, and choose among resampling methods.",
	"13b": "Give prediction limits without a noise model, and reuse a test set safely.",
	"14":  "Estimate many small groups together, and see by how much to pool them.",
	"15":  "Choose how many lags, forecast with limits, and test who drives whom.",
	"15b": "Look into the spectrum of a series, and at tests of what is left.",
	"16":  "Fit medians, quantiles, counts and lines that wrong rows do not move.",
	"17":  "Fit a table that does not fit into memory, to the same digits.",
	"18":  "Bound a posterior over more models than can be counted.",
}
