// Command engine answers what the pages of the site ask: the explorables of course/live at any
// parameters, and the playground. Compiled for WebAssembly it runs in the reader's browser; compiled
// for this machine it answers a line of JSON with a line of JSON, and is what tests compare with.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/regbook/regbook/course/live"
	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/internal/try"
)

// A request names what to do, and has what that takes.
type request struct {
	ID     int       `json:"id"` // repeated in the answer
	Do     string    `json:"do"` // list, draw, columns or fit
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
	Seed   uint64    `json:"seed"`
	Text   string    `json:"text"` // typed by the reader
	Play   *play     `json:"play"`
}

// An answer has an error, or what was asked for.
type answer struct {
	ID    int    `json:"id"`
	Error string `json:"error,omitempty"`

	Explorables []explorable `json:"explorables,omitempty"` // list
	Data        []dataset    `json:"data,omitempty"`

	SVG      string   `json:"svg,omitempty"`    // draw
	Labels   []string `json:"labels,omitempty"` // of the parameters
	Numbers  []number `json:"numbers,omitempty"`
	Sentence string   `json:"sentence,omitempty"`
	Handles  []handle `json:"handles,omitempty"`
	Text     string   `json:"text,omitempty"` // that the figure is about

	Columns []string `json:"columns,omitempty"` // columns
	Preview *preview `json:"preview,omitempty"`
	Read    *reading `json:"read,omitempty"` // how a file was read
	Code    string   `json:"code,omitempty"` // fit
	InR     string   `json:"inR,omitempty"`  // the same in R
	Parts   []part   `json:"parts,omitempty"`
}

type explorable struct {
	Name   string  `json:"name"` // of its function
	Title  string  `json:"title"`
	Seed   uint64  `json:"seed"`
	Random bool    `json:"random"`
	Params []param `json:"params"`
	Points int     `json:"points"` // that a reader may add
	Text   string  `json:"text"`   // label of a text that a reader may type
}

type param struct {
	Label   string    `json:"label"`
	Unit    string    `json:"unit"`
	Values  []float64 `json:"values"`
	Frames  []float64 `json:"frames"` // of the notebook's slider
	Min     float64   `json:"min"`
	Max     float64   `json:"max"`
	Step    float64   `json:"step"`
	Log     bool      `json:"log"`
	Cyclic  bool      `json:"cyclic"`
	Default float64   `json:"default"`
}

// A handle is what a reader drags: where it is, and where it would be with each of its values larger
// by one step, as shares of the figure's width and height from its upper left corner.
type handle struct {
	Name   string       `json:"name"`
	Kind   string       `json:"kind"`
	Values []int        `json:"values"`
	Base   []float64    `json:"base"`
	Reach  []float64    `json:"reach,omitempty"`
	Spots  [][2]float64 `json:"spots"`
}

type number struct {
	Name string `json:"name"`
	Text string `json:"text"` // with the digits that it claims
}

type dataset struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Formula string `json:"formula"`
}

// reply answers a request. Long work calls progress, whose error ends it.
func reply(text []byte, progress func(done, total float64) error) []byte {
	var r request
	a := &answer{}
	err := json.Unmarshal(text, &r)
	if err == nil {
		a.ID = r.ID
		err = a.take(&r, progress)
	}
	if err != nil {
		a = &answer{ID: r.ID, Error: err.Error()}
	}
	out, err := written(a)
	if err != nil { // a number that JSON does not have
		out, _ = written(&answer{ID: r.ID, Error: err.Error()})
	}
	return out
}

// written is an answer as JSON, whose marks of SVG and HTML need no escapes: a page parses it as JSON.
func written(a *answer) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(a)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func (a *answer) take(r *request, progress func(done, total float64) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("this should not happen: %v", v)
		}
	}()
	defer try.Handle(&err)
	switch {
	case r.Do == "list":
		a.list()
	case r.Do == "draw":
		a.draw(r, progress)
	case r.Do != "columns" && r.Do != "fit":
		return fmt.Errorf("%q is not known", r.Do)
	case r.Play == nil:
		return errors.New("nothing to fit")
	case r.Do == "columns":
		a.columns(r.Play)
	default:
		a.fit(r.Play, progress)
	}
	return nil
}

func (a *answer) list() {
	for _, e := range live.All() {
		x := explorable{Name: e.Func, Title: e.Title, Seed: e.Seed, Random: e.Random, Points: e.MaxPoints, Text: e.Text}
		for _, p := range e.Params {
			frames := p.Frames
			if frames == nil {
				frames = p.Values
			}
			x.Params = append(x.Params, param{p.Label, p.Unit, p.Values, frames, p.Min, p.Max, p.Step, p.Log, p.Cyclic, p.Default})
		}
		a.Explorables = append(a.Explorables, x)
	}
	for _, d := range datasets.List() {
		if c, ok := courses[d.Name]; ok {
			a.Data = append(a.Data, dataset{d.Name, d.Title, c.formula})
		}
	}
}

func (a *answer) draw(r *request, progress func(done, total float64) error) {
	all := live.All()
	k := slices.IndexFunc(all, func(e *live.Explorable) bool { return e.Func == r.Name })
	if k < 0 {
		try.Fail(fmt.Errorf("there is no explorable %q", r.Name))
	}
	e := all[k]
	view := try.Get(e.Draw(r.Values, &live.DrawSettings{Seed: r.Seed, Text: r.Text, Progress: progress}))
	svg := try.Get(view.Figure.SVG())
	a.SVG, a.Sentence, a.Text = string(svg), view.Sentence, view.Text
	a.Handles = try.Get(handles(view, a.SVG))
	for i, p := range e.Params {
		v := p.Default
		if i < len(r.Values) {
			v = r.Values[i]
		}
		a.Labels = append(a.Labels, p.Text(v))
	}
	for _, n := range view.Numbers {
		a.Numbers = append(a.Numbers, number{n.Name, n.String()})
	}
}

// sizeOfSVG finds the size of a figure, in points.
var sizeOfSVG = regexp.MustCompile(`viewBox="0 0 ([0-9.]+) ([0-9.]+)"`)

// handles returns what can be dragged in a figure that has been drawn.
func handles(view *live.View, svg string) ([]handle, error) {
	if len(view.Handles) == 0 {
		return nil, nil
	}
	size := sizeOfSVG.FindStringSubmatch(svg)
	if size == nil {
		return nil, errors.New("the figure has no size")
	}
	width, err := strconv.ParseFloat(size[1], 64)
	if err != nil {
		return nil, err
	}
	height, err := strconv.ParseFloat(size[2], 64)
	if err != nil {
		return nil, err
	}
	var all []handle
	for _, h := range view.Handles {
		to := handle{Name: h.Name, Kind: string(h.Kind), Values: h.Values, Base: h.Base, Reach: h.Reach}
		for _, p := range h.Spots() {
			to.Spots = append(to.Spots, [2]float64{p[0] / width, 1 - p[1]/height})
		}
		all = append(all, to)
	}
	return all, nil
}
