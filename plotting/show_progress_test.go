package plotting

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
)

// liveRecorder keeps what a notebook would show: outputs of one ID in the
// place of the first. It counts the updates.
type liveRecorder struct {
	outputs []Bundle
	puts    int
}

func (*liveRecorder) live() bool { return true }

func (r *liveRecorder) Put(b Bundle) error {
	r.puts++
	for i, o := range r.outputs {
		if o.ID != "" && o.ID == b.ID {
			r.outputs[i] = b
			return nil
		}
	}
	r.outputs = append(r.outputs, b)
	return nil
}

func TestProgressInNotebook(t *testing.T) {
	for _, step := range []time.Duration{time.Microsecond, 30 * time.Millisecond, 3 * time.Second} {
		r := &liveRecorder{}
		previous := SetSink(r)
		Show("before")
		now := time.Unix(0, 0)
		p := &progress{label: "a < b", now: func() time.Time { return now }}
		for i := range 101 {
			now = now.Add(step)
			if err := p.report(float64(i), 100); err != nil {
				t.Fatal(err)
			}
			if i == 50 && !strings.HasPrefix(r.outputs[1].HTML, `<div><progress aria-label="a &lt; b" value="`) {
				t.Errorf("at half the bar is %s", r.outputs[1].HTML)
			}
		}
		Show("after")
		SetSink(previous)
		got := ""
		for _, b := range r.outputs {
			got += b.Text + "|"
		}
		if want := "before|a < b: all 100 done|after|"; got != want {
			t.Errorf("step %v: outputs %q, want %q", step, got, want)
		}
		if got, want := r.outputs[1].HTML, "<div>a &lt; b: all 100 done</div>"; got != want {
			t.Errorf("step %v: HTML %q, want %q", step, got, want)
		}
		most := min(101, 2+int(101*step/progressInterval))
		if updates := r.puts - 2; updates < 2 || updates > most {
			t.Errorf("step %v: %d updates, want at most %d", step, updates, most)
		}
	}
}

func TestProgressTimeLeft(t *testing.T) {
	now := time.Unix(0, 0)
	p := &progress{label: "x", now: func() time.Time { return now }, started: now}
	for _, c := range []struct {
		elapsed     time.Duration
		done, total float64
		want        string
	}{
		{500 * time.Millisecond, 10, 100, "x: 10 of 100 (10%)"},
		{3 * time.Second, 25, 100, "x: 25 of 100 (25%), 9 s left"},
		{100 * time.Second, 1, 3, "x: 1 of 3 (33%), 3 min 20 s left"},
		{time.Minute, 1, 66, "x: 1 of 66 (1%), 1 h 5 min left"},
		{time.Minute, 999, 1000, "x: 999 of 1,000 (99%), 0.1 s left"},
		{time.Minute, 0, 1 << 30, "x: 0 of 1,073,741,824 (0%)"},
		{time.Minute, 0.25, 0.5, "x: 0.25 of 0.5 (50%), 1 min 0 s left"},
		{time.Minute, 3, math.NaN(), "x: 3 done"},
		{time.Minute, 1e-300, 1, "x: 1e-300 of 1 (0%)"},
	} {
		now = p.started.Add(c.elapsed)
		p.done, p.total = c.done, c.total
		if got := p.state() + p.timeLeft(); got != c.want {
			t.Errorf("%v: %q, want %q", c.elapsed, got, c.want)
		}
	}
}

// A computation that ends short of its total has its last line before the
// next output, and a Progress can be used again.
func TestProgressOfWhatEndsEarly(t *testing.T) {
	r := &liveRecorder{}
	defer SetSink(SetSink(r))
	p := Progress("steps")
	for range 2 {
		for i := range 8 {
			if err := p(float64(i), 200); err != nil {
				t.Fatal(err)
			}
		}
		Show("next")
	}
	got := ""
	for _, b := range r.outputs {
		got += b.Text + "|"
	}
	if want := "steps: 7 of 200 (3%)|next|steps: 7 of 200 (3%)|next|"; got != want {
		t.Errorf("outputs %q, want %q", got, want)
	}
}

// A Sink that cannot replace outputs gets the last line only.
func TestProgressInPlainSink(t *testing.T) {
	got := record(t)
	p := Progress(" two\nlines ")
	for i := range 11 {
		if err := p(float64(i), 10); err != nil {
			t.Fatal(err)
		}
	}
	if len(*got) != 1 || (*got)[0].Text != "two lines: all 10 done" {
		t.Errorf("outputs %v", *got)
	}
}

func TestProgressOnStreams(t *testing.T) {
	for _, c := range []struct {
		terminal bool
		want     string
	}{
		{true, "\r\x1b[Kx: 1 of 4 (25%), 30 s left\r\x1b[Kx: all 4 done in 40 s\n"},
		{false, "x: all 4 done in 40 s\n"},
	} {
		var out strings.Builder
		now := time.Unix(0, 0)
		p := &progress{label: "x", now: func() time.Time { return now }, started: now}
		for i, done := range []float64{1, 4} {
			now = p.started.Add(time.Duration(10+30*i) * time.Second)
			p.done, p.total = done, 4
			if err := p.print(&out, c.terminal, done == 4); err != nil {
				t.Fatal(err)
			}
		}
		if out.String() != c.want {
			t.Errorf("terminal %v: %q, want %q", c.terminal, out.String(), c.want)
		}
	}
}

func TestProgressPassesSinkErrorsOn(t *testing.T) {
	defer SetSink(SetSink(TextSink{failing{}}))
	if err := Progress("x")(1, 1); err == nil {
		t.Error("no error")
	}
}

// An interrupted cross-validation is shown for what it is.
func TestShowInterruptedCV(t *testing.T) {
	x, y := lineData(20)
	d := get(mlreg.NewDesign(columns(x), y))(t)
	folds := get(mlreg.LeaveOneOut(20))(t)
	fit := func(train *mlreg.Design) ([]*mlreg.OLS, error) {
		f, err := mlreg.FitOLS(train, nil)
		return []*mlreg.OLS{f}, err
	}
	cv, err := mlreg.CrossValidate(d, folds, fit, &mlreg.CVSettings{Progress: func(done, _ float64) error {
		if done == 3 {
			return ErrInterrupted
		}
		return nil
	}})
	got := record(t)
	if err := Display(cv, err); err != nil || len(*got) != 1 {
		t.Fatalf("error %v, outputs %v", err, *got)
	}
	if want := "\n3 of the folds of 20-fold cross-validation, 1 candidates"; !strings.Contains((*got)[0].Text, want) {
		t.Errorf("%s\nhas no %s", (*got)[0].Text, want)
	}
}

// What an interrupted computation returns is shown, and nothing else is.
func TestDisplayOfInterrupted(t *testing.T) {
	got := record(t)
	stopped := fmt.Errorf("mlreg: %w", ErrInterrupted)
	if err := Display("half", stopped); err != nil || len(*got) != 1 {
		t.Errorf("error %v, outputs %v", err, *got)
	}
	if err := Display((*report.Table)(nil), stopped); !errors.Is(err, ErrInterrupted) || len(*got) != 1 {
		t.Errorf("error %v, outputs %v", err, *got)
	}
}
