// Package gonb sends outputs to the GoNB kernel that runs the program. It is the part
// of GoNB's own package gonbui that package plotting needs. That package brings a
// logger, a database interface and the network with it, which the linker has to read
// for every cell.
package gonb

import (
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// A Client sends messages to the kernel. Sync returns when the kernel has passed
// them on.
type Client interface {
	Send(*protocol.DisplayData) error
	Sync() error
}

var client Client = &pipes{}

// Use replaces the client. Package withgonbui does when it is initialised.
func Use(c Client) { client = c }

// Present reports whether a kernel runs the program.
func Present() bool { return os.Getenv(protocol.GONB_PIPE_ENV) != "" }

// Send sends a message to the kernel.
func Send(d *protocol.DisplayData) error { return client.Send(d) }

// Sync returns when the kernel has passed on all that was sent to it.
func Sync() error { return client.Sync() }

// pipes is the client on the two pipes that the environment names. It opens them
// when it is first used. Its first error stays: the kernel reads one stream.
type pipes struct {
	mu    sync.Mutex
	out   *gob.Encoder
	in    *gob.Decoder
	syncs int
	err   error
}

var errTwoClients = errors.New(`this program contains GoNB's package gonbui, too, and the kernel reads the messages of one client only: ` +
	`add import _ "github.com/regbook/regbook/plotting/withgonbui" to the cell`)

// open returns an error if the kernel cannot be reached.
func (p *pipes) open() error {
	if p.out != nil || p.err != nil {
		return p.err
	}
	if hasGonbui() {
		return errTwoClients
	}
	// The kernel opens its ends in this order, and each waits for the other.
	there, err := os.OpenFile(os.Getenv(protocol.GONB_PIPE_ENV), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	back, err := os.Open(os.Getenv(protocol.GONB_PIPE_BACK_ENV))
	if err != nil {
		return errors.Join(err, there.Close())
	}
	p.out, p.in = gob.NewEncoder(there), gob.NewDecoder(back)
	return nil
}

func (p *pipes) Send(d *protocol.DisplayData) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.send(d)
}

func (p *pipes) send(d *protocol.DisplayData) error {
	if p.err = p.open(); p.err == nil {
		p.err = p.out.Encode(d)
	}
	return p.err
}

func (p *pipes) Sync() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.syncs++
	request := &protocol.CommValue{Address: protocol.GonbuiSyncAddress, Value: p.syncs}
	err := p.send(&protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMECommValue: request}})
	for err == nil {
		var answer protocol.CommValue // what else comes is for widgets, which this package has none of
		if err = p.in.Decode(&answer); err == nil && answer.Address == protocol.GonbuiSyncAckAddress && answer.Value == p.syncs {
			return nil
		}
	}
	if p.err == nil {
		p.err = fmt.Errorf("no answer: %w", err)
	}
	return p.err
}

// hasGonbui reports whether gonbui is in the program, by a module that it needs and
// the rest of a cell does not.
var hasGonbui = sync.OnceValue(func() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return m.Path == "k8s.io/klog/v2" })
})
