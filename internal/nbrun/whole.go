package main

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// A notebook's cells as one program compute their declarations once, and are compiled once: a tenth
// of the time of a kernel, which makes a program of each cell. What a cell leaves to the next in a
// variable is where the two differ, so that check asks the kernel about a page that differs.

// ran is what a program left.
type ran struct {
	output  map[int]string    // printed, by cell
	shown   map[int][]*output // displayed, by cell
	stated  map[int]string    // lines of package ledger by cell
	strange string            // printed to standard error, and to standard output before a cell
	err     error
}

// A programRun says how a program runs.
type programRun struct {
	dir    string // for its files
	stated string // what its session of package ledger begins with
	limit  time.Duration
	shows  bool // whether there is somebody to display to
}

// run runs a program of cells in the folder of the notebooks.
func (s programRun) run(ctx context.Context, c *course, binary string) *ran {
	r := &ran{output: map[int]string{}, shown: map[int][]*output{}, stated: map[int]string{}}
	file := filepath.Join(s.dir, "ledger")
	if r.err = os.WriteFile(file, []byte(s.stated), 0o644); r.err != nil {
		return r
	}
	limited, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	cmd := exec.CommandContext(limited, binary)
	cmd.WaitDelay = 10 * time.Second
	cmd.Dir = c.notebooks
	cache := filepath.Join(s.dir, "cache")
	defer os.RemoveAll(cache)
	cmd.Env = append(os.Environ(), "REGBOOK_LEDGER="+file, "XDG_CACHE_HOME="+cache, "REGBOOK_KEEP="+filepath.Join(cache, "keep"), protocol.GONB_PIPE_ENV+"=")
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if s.shows {
		end, err := r.listen(cmd, s.dir, file)
		if err != nil {
			r.err = err
			return r
		}
		defer func() { r.err = errors.Join(r.err, end()) }()
	}
	if err := cmd.Run(); limited.Err() != nil && ctx.Err() == nil {
		r.err = fmt.Errorf("runs longer than %.0f s", s.limit.Seconds())
	} else if err != nil {
		r.err = fmt.Errorf("%w: %s", err, indent(stderr.String(), "", 3))
	}
	before, _, _ := strings.Cut(out.String(), cellMark)
	r.strange = before + stderr.String()
	byCell(r.output, out.String())
	b, err := os.ReadFile(file)
	byCell(r.stated, strings.TrimPrefix(string(b), s.stated))
	r.err = errors.Join(r.err, err)
	return r
}

// byCell parts a text at the marks of cells.
func byCell(parts map[int]string, text string) {
	for _, text := range strings.Split(text, cellMark)[1:] {
		number, text, _ := strings.Cut(text, "\n")
		if i, err := strconv.Atoi(number); err == nil {
			parts[i] += text
		}
	}
}

// listen plays the kernel's part on the two pipes by which a program displays. A program waits for the
// answer to what it has sent, so that the cell that it runs meanwhile is the last
// marked in the file of package ledger. The function returned ends it.
func (r *ran) listen(cmd *exec.Cmd, dir, ledger string) (end func() error, err error) {
	var pipes [2]*os.File
	for i, name := range []string{protocol.GONB_PIPE_ENV, protocol.GONB_PIPE_BACK_ENV} {
		path := filepath.Join(dir, strings.ToLower(name))
		if err = syscall.Mkfifo(path, 0o600); err == nil || errors.Is(err, os.ErrExist) {
			pipes[i], err = os.OpenFile(path, os.O_RDWR, 0) // does not wait for the program
		}
		if err != nil {
			return nil, err
		}
		cmd.Env = append(cmd.Env, name+"="+path)
	}
	read := make(chan error, 1)
	go func() { read <- r.read(gob.NewDecoder(pipes[0]), gob.NewEncoder(pipes[1]), ledger) }()
	return func() error {
		errs := errors.Join(pipes[0].Close(), pipes[1].Close())
		if err := <-read; !errors.Is(err, os.ErrClosed) {
			errs = errors.Join(err, errs)
		}
		return errs
	}, nil
}

// read takes displays in until there are no more.
func (r *ran) read(in *gob.Decoder, answers *gob.Encoder, ledger string) error {
	ids := map[string]*output{}
	for {
		var d protocol.DisplayData
		if err := in.Decode(&d); err != nil {
			return err
		}
		if request, ok := d.Data[protocol.MIMECommValue].(protocol.CommValue); ok {
			if request.Address != protocol.GonbuiSyncAddress {
				return fmt.Errorf("a cell asks the page for %q", request.Address)
			}
			if err := answers.Encode(&protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: request.Value}); err != nil {
				return err
			}
			continue
		}
		shown, err := displayOutput(d)
		if err != nil {
			return err
		}
		if old := ids[d.DisplayID]; old != nil && d.DisplayID != "" {
			old.Data, old.Metadata = shown.Data, shown.Metadata
			continue
		}
		ids[d.DisplayID] = shown
		cell, err := lastMarked(ledger)
		if err != nil {
			return err
		}
		r.shown[cell] = append(r.shown[cell], shown)
	}
}

// displayOutput returns a display as a notebook stores it.
func displayOutput(d protocol.DisplayData) (*output, error) {
	shown := &output{Type: "display_data", Data: map[string]json.RawMessage{}, Metadata: map[string]any{}}
	for mime, content := range d.Data {
		b, err := json.Marshal(content)
		if err != nil {
			return nil, err
		}
		shown.Data[string(mime)] = b
	}
	maps.Copy(shown.Metadata, d.Metadata)
	return shown, nil
}

// lastMarked returns the cell that runs.
func lastMarked(ledger string) (int, error) {
	b, err := os.ReadFile(ledger)
	if err != nil {
		return 0, err
	}
	marks := strings.Split(string(b), cellMark)
	if len(marks) == 1 {
		return 0, fmt.Errorf("something is displayed before the first cell")
	}
	number, _, _ := strings.Cut(marks[len(marks)-1], "\n")
	return strconv.Atoi(number)
}

// executeWhole runs a notebook as one program and returns the executed copy, as execute does.
func (c *course) executeWhole(ctx context.Context, path string) (*notebook, error) {
	nb, err := readNotebook(path)
	if err != nil {
		return nil, err
	}
	dir, err := c.tempDir()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	p, binary, err := c.compile(ctx, nb, dir)
	if err != nil {
		return nil, err
	}
	r := programRun{dir: dir, limit: 2 * c.timeout, shows: true}.run(ctx, c, binary)
	if r.err == nil && r.strange != "" {
		r.err = fmt.Errorf("beside its cells it writes\n%s", indent(r.strange, "    ", 12))
	}
	if r.err != nil {
		return nil, r.err
	}
	return nb.executed(p, r)
}

// executed returns the notebook with what its program left.
func (nb *notebook) executed(p *program, r *ran) (*notebook, error) {
	done := *nb
	done.Cells = slices.Clone(nb.Cells)
	count := 0
	for i, part := range p.parts {
		if part == nil {
			continue
		}
		if s := panicked(r.output[i]); s != "" {
			return nil, fmt.Errorf("cell %d panics: %s", i+1, s)
		}
		c := *nb.Cells[i]
		c.Outputs = r.shown[i]
		if printed := r.output[i]; printed != "" {
			c.Outputs = append([]*output{{Type: "stream", Name: "stdout", Text: text(printed)}}, c.Outputs...)
		}
		c.ExecutionCount = nil
		if strings.TrimSpace(part.source) != "" { // Jupyter does not execute an empty one
			count++
			c.ExecutionCount = json.RawMessage(strconv.Itoa(count))
		}
		c.Metadata = maps.Clone(c.Metadata)
		c.Metadata[statedKey] = r.stated[i]
		done.Cells[i] = &c
	}
	return &done, nil
}
