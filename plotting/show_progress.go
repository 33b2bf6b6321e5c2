package plotting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/plotting/internal/gonb"
)

// ErrInterrupted is the error that a Progress function returns after the cell
// or program was interrupted.
var ErrInterrupted = errors.New("interrupted")

// Progress returns a function for the Progress field of settings. It shows the
// progress of a computation:
//
//   - in a notebook, a bar with the percentage and the time left, at most five
//     times a second, and at the end one line that stays. The line has no
//     times in it: a notebook that is run again shows the same;
//   - on a terminal, a line on standard error;
//   - elsewhere, the last line only: on standard error, or to the Sink that
//     SetSink has set.
//
// If a computation stops before its total, for example because it converged,
// its last line appears with the next output of Show.
//
// After an interruption of the cell (Ctrl-C on a terminal) the function returns
// ErrInterrupted. The computation then returns its result so far, and Show and
// Display display it:
//
//	plotting.Show(mlreg.EnumerateModels(d, score, &mlreg.EnumerateSettings{Progress: plotting.Progress("models")}))
//
// If a computation does not report within four seconds after an interruption,
// or on a second Ctrl-C, the program ends. The kernel ends every cell five
// seconds after an interruption.
func Progress(label string) func(done, total float64) error {
	p := &progress{label: strings.Join(strings.Fields(label), " "), now: time.Now}
	return p.report
}

// progressInterval is the shortest time between two displays.
const progressInterval = time.Second / 5

// patience is how long after an interruption a computation may take to report.
// It is a little less than the five seconds after which the kernel kills.
var patience = 4 * time.Second

// progress is the display of one computation, of several one after the other
// if they share it. sinkMu guards it.
type progress struct {
	label string
	now   func() time.Time

	started, shown time.Time // of the computation that runs, zero if none does
	done, total    float64
	id             string
	interrupted    context.Context
	release        func() // gives SIGINT back
}

// Guarded by sinkMu.
var (
	running []*progress // what has started and not ended
	stopAll bool        // there was an interruption
)

func (p *progress) report(done, total float64) error {
	sinkMu.Lock()
	defer sinkMu.Unlock()
	if stopAll {
		return ErrInterrupted
	}
	now := p.now()
	if p.started.IsZero() {
		p.start(now)
	}
	p.done, p.total = done, total
	interrupted := p.interrupted.Err() != nil
	switch {
	case done >= total:
		err := p.end()
		stopAll = interrupted
		return err
	case interrupted:
		stopAll = true
		return errors.Join(ErrInterrupted, p.end())
	case now.Sub(p.shown) < progressInterval:
		return nil
	}
	p.shown = now
	return p.display(false)
}

// start takes over SIGINT.
func (p *progress) start(now time.Time) {
	p.started, p.id = now, fmt.Sprintf("progress-%x", time.Now().UnixNano()) // of no other cell
	running = append(running, p)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	abandon := context.AfterFunc(ctx, func() {
		stop() // a second SIGINT ends the program
		time.Sleep(patience)
		sinkMu.Lock()
		defer sinkMu.Unlock()
		if p.interrupted == ctx && !p.started.IsZero() {
			os.Exit(130) // as a shell reports a program that SIGINT ended
		}
	})
	p.interrupted, p.release = ctx, func() { abandon(); stop() }
}

// end displays the last line.
func (p *progress) end() error {
	running = slices.DeleteFunc(running, func(q *progress) bool { return q == p })
	err := p.display(true)
	p.started, p.shown = time.Time{}, time.Time{}
	p.release()
	return err
}

// endAll gives all that runs its last line, before something else is displayed.
func endAll() error {
	var err error
	for _, p := range slices.Clone(running) {
		err = errors.Join(err, p.end())
	}
	return err
}

// A liveSink replaces an output by a later one of the same ID.
type liveSink interface {
	Sink
	live() bool
}

func (kernelSink) live() bool { return true }

// display hands the bar or the last line to where progress is shown.
func (p *progress) display(last bool) error {
	s := sink
	if s == nil && gonb.Present() {
		s = kernelSink{}
	}
	if s == nil {
		return p.print(os.Stderr, isTerminal(os.Stderr), last)
	}
	if l, ok := s.(liveSink); !last && (!ok || !l.live()) {
		return nil
	}
	b := Bundle{Text: p.state(), ID: p.id}
	if !last {
		b.Text += p.timeLeft()
	}
	b.HTML = "<div>" + format.HTML(b.Text) + "</div>"
	if share := p.share(); !last && share >= 0 {
		b.HTML = fmt.Sprintf(`<div><progress aria-label="%s" value="%.1f" max="100" style="width:20em;max-width:60%%"></progress> %s</div>`,
			format.EscapeHTML(p.label), 100*share, format.HTML(b.Text))
	}
	return s.Put(b)
}

// print writes the state to a stream: a line that is overwritten if that is a
// terminal, and a line with the time taken at the end.
func (p *progress) print(w io.Writer, terminal, last bool) error {
	line := p.state()
	if last {
		line += " in " + duration(p.now().Sub(p.started)) + "\n"
	} else {
		line += p.timeLeft()
	}
	if terminal {
		const clear = "\r\x1b[K"
		line = clear + line
	} else if !last {
		return nil
	}
	_, err := io.WriteString(w, line)
	return err
}

// isTerminal reports whether lines written to f can be overwritten.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// share returns the part that is done, at most 1, or -1 where the total is not
// known.
func (p *progress) share() float64 {
	if !(p.total > 0 && p.done >= 0) {
		return -1
	}
	return min(p.done/p.total, 1)
}

// state says how much is done: the same, whatever time that took.
func (p *progress) state() string {
	s := p.label + ": "
	if stopAll {
		s += "interrupted at "
	}
	share := p.share()
	switch {
	case share == 1:
		s += fmt.Sprintf("all %s done", count(p.total))
	case share >= 0:
		s += fmt.Sprintf("%s of %s (%d%%)", count(p.done), count(p.total), int(100*share))
	default:
		s += count(p.done) + " done"
	}
	return s
}

// timeLeft estimates when the rest is done, from the time that the first part
// took.
func (p *progress) timeLeft() string {
	elapsed, share := p.now().Sub(p.started), p.share()
	if elapsed < time.Second || share <= 0 {
		return ""
	}
	left := float64(elapsed) * (1/share - 1)
	if left > float64(1000*time.Hour) {
		return ""
	}
	return ", " + duration(time.Duration(left)) + " left"
}

// duration formats a time to the precision that a reader needs: 0.4 s, 12 s,
// 3 min 20 s, 1 h 5 min.
func duration(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	switch {
	case s < 1:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	default:
		return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
	}
}

// count formats a number of things with its digits in groups of three.
func count(x float64) string {
	if x != float64(int64(x)) {
		return format.Number(x, 4)
	}
	return format.Grouped(x)
}
