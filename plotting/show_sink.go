package plotting

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/gonb"
)

// Bundle is one output in several forms; a notebook shows the rich form, other
// places show Text.
type Bundle struct {
	// Text is the plain form, which every bundle must have: the aligned table,
	// the alternative text of a figure.
	Text string
	// HTML, Markdown and PNG are the rich form. At most one is set.
	HTML     string
	Markdown string
	PNG      []byte
	// Width and Height are the size at which PNG is shown, in CSS pixels.
	Width, Height int
	// ID, if set, makes later bundles with the same ID replace this one.
	ID string
}

// Sink takes the outputs of Show, in order.
type Sink interface {
	Put(Bundle) error
}

var (
	sinkMu sync.Mutex
	sink   Sink // nil: the kernel's if there is one, else standard output
)

// SetSink makes Show write to s, for tests and for programs that collect their
// output, and returns the sink in use before. A nil s restores the default: the
// notebook when run by the GoNB kernel, standard output otherwise.
func SetSink(s Sink) (previous Sink) {
	sinkMu.Lock()
	defer sinkMu.Unlock()
	previous, sink = sink, s
	return previous
}

// put hands the bundles to the sink in use, with no other output in between.
func put(bundles []Bundle) error {
	sinkMu.Lock()
	defer sinkMu.Unlock()
	s := sink
	switch {
	case s != nil:
	case gonb.Present():
		s = kernelSink{}
	default:
		s = TextSink{os.Stdout}
	}
	if err := endAll(); err != nil {
		return err
	}
	for _, b := range bundles {
		if err := b.check(); err != nil {
			return err
		}
		if err := s.Put(b); err != nil {
			return err
		}
	}
	return nil
}

func (b Bundle) check() error {
	rich := 0
	for _, set := range []bool{b.HTML != "", b.Markdown != "", len(b.PNG) > 0} {
		if set {
			rich++
		}
	}
	switch {
	case b.Text == "":
		return errors.New("plotting: an output needs a plain-text form")
	case rich > 1:
		return errors.New("plotting: an output has at most one of HTML, Markdown and PNG")
	}
	return nil
}

// TextSink writes the plain form of every output to W, each ending in a
// newline.
type TextSink struct{ W io.Writer }

// Put implements Sink. The error is mlreg.ErrNoData without a writer.
func (s TextSink) Put(b Bundle) error {
	if s.W == nil {
		return fmt.Errorf("plotting: %w: the writer of the TextSink is nil", mlreg.ErrNoData)
	}
	_, err := io.WriteString(s.W, strings.TrimRight(b.Text, "\n")+"\n")
	return err
}

// syncTimeout is how long the kernel may take to take in an output; it takes
// microseconds when it is well.
var syncTimeout = 10 * time.Second

// kernelSink sends outputs to the notebook through the GoNB kernel. It waits
// for the kernel before and after, so that what the cell prints itself stays
// in order with them. What was printed before is taken from its pipe by then, but
// perhaps not passed on: GoNB does not tell when it is.
type kernelSink struct{}

func (kernelSink) Put(b Bundle) error {
	data := map[protocol.MIMEType]any{protocol.MIMETextPlain: b.Text}
	var metadata map[string]any
	switch {
	case len(b.PNG) > 0:
		data[protocol.MIMEImagePNG] = b.PNG
		if b.Width > 0 && b.Height > 0 {
			// A map of a type that gobs: map[string]any would break the pipe.
			size := map[string]int{"width": b.Width, "height": b.Height}
			metadata = map[string]any{string(protocol.MIMEImagePNG): size}
		}
	case b.HTML != "":
		data[protocol.MIMETextHTML] = b.HTML
	case b.Markdown != "":
		data[protocol.MIMETextMarkdown] = b.Markdown
	}
	for _, f := range []*os.File{os.Stdout, os.Stderr} { // pipes of their own, which Sync knows nothing about
		drain(f, syncTimeout)
	}
	send := func() error {
		return gonb.Send(&protocol.DisplayData{Data: data, Metadata: metadata, DisplayID: b.ID})
	}
	for _, message := range []func() error{gonb.Sync, send, gonb.Sync} {
		if err := answered(message); err != nil {
			return err
		}
	}
	return nil
}

// answered returns the error of a message to the kernel, or that the kernel takes too
// long.
func answered(message func() error) error {
	done := make(chan error, 1)
	go func() { done <- message() }()
	select {
	case err := <-done:
		if err != nil {
			err = fmt.Errorf("plotting: the kernel does not take the output: %w", err)
		}
		return err
	case <-time.After(syncTimeout):
		return fmt.Errorf("plotting: the kernel did not answer for %v: the output may be lost", syncTimeout)
	}
}
