package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"github.com/regbook/regbook/internal/failing"
)

// testAPI checks that a server wants its token, runs the notebooks in it, and
// interrupts a cell.
func testAPI(ctx context.Context, address string, first time.Duration, paths []string) error {
	s, err := newServer(address)
	if err != nil {
		return err
	}
	for token, want := range map[string]int{s.token: http.StatusOK, "": http.StatusForbidden, "wrong": http.StatusForbidden} {
		if got, err := s.status(ctx, "/api/kernels", token); err != nil || got != want {
			return fmt.Errorf("with the token %q the server answers %d, want %d (%w)", token, got, want, err)
		}
	}
	for _, path := range paths {
		if err := s.runNotebook(ctx, path, first); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// runNotebook runs all code cells of a copy of a notebook.
func (s *server) runNotebook(ctx context.Context, path string, first time.Duration) (err error) {
	nb, err := readNotebook(path)
	if err != nil {
		return err
	}
	name, err := s.put(ctx, nb, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.remove(ctx, name)) }()
	k, err := s.open(ctx, name)
	if err != nil {
		return err
	}
	defer k.conn.Close()
	var times []time.Duration
	for i, c := range nb.Cells {
		if c["cell_type"] != "code" {
			continue
		}
		start := time.Now()
		interrupt := strings.Contains(source(c), "// interrupted")
		output, err := k.execute(ctx, source(c), interrupt)
		if err == nil && interrupt && !strings.Contains(output, "interrupted at") {
			err = errors.New("the interruption is not told")
		}
		if err != nil {
			return fmt.Errorf("cell %d: %w\n%s", i+1, err, output)
		}
		times = append(times, time.Since(start).Round(10*time.Millisecond))
	}
	fmt.Printf("ok  %s: %d cells, in %v\n", path, len(times), times)
	if len(times) > 1 && max(times[0], times[1]) > first {
		return fmt.Errorf("the first cells took %v and %v, more than %v", times[0], times[1], first)
	}
	return nil
}

// A kernel is a session's kernel and the connection to it.
type kernel struct {
	*server
	id, session string
	conn        net.Conn
	count       int
}

// message is what goes over the connection.
type message struct {
	Channel  string         `json:"channel"`
	Header   header         `json:"header"`
	Parent   header         `json:"parent_header"`
	Metadata map[string]any `json:"metadata"`
	Content  map[string]any `json:"content"`
}

type header struct {
	ID      string `json:"msg_id"`
	Type    string `json:"msg_type"`
	User    string `json:"username"`
	Session string `json:"session"`
	Date    string `json:"date"`
	Version string `json:"version"`
}

// open starts a session for a notebook as the pages of Jupyter do.
func (s *server) open(ctx context.Context, name string) (*kernel, error) {
	var session struct {
		ID     string
		Kernel struct{ ID, Name string }
	}
	if err := s.do(ctx, "POST", "/api/sessions", map[string]any{
		"path": name, "name": name, "type": "notebook", "kernel": map[string]any{"name": "regbook"},
	}, &session); err != nil {
		return nil, err
	}
	k := &kernel{server: s, id: session.Kernel.ID, session: "e2e"}
	address := "ws" + strings.TrimPrefix(s.base, "http") + "/api/kernels/" + k.id + "/channels?session_id=" + k.session + "&token=" + s.token
	var err error
	k.conn, _, _, err = ws.Dial(ctx, address)
	return k, err
}

// execute runs a cell and returns its text output. It interrupts the cell, if
// it is told to, as soon as that displays something.
func (k *kernel) execute(ctx context.Context, code string, interrupt bool) (string, error) {
	k.count++
	request := message{Channel: "shell", Metadata: map[string]any{}, Content: map[string]any{
		"code": code, "silent": false, "store_history": true, "user_expressions": map[string]any{}, "allow_stdin": false, "stop_on_error": true,
	}}
	request.Header = header{ID: fmt.Sprintf("e2e-%d", k.count), Type: "execute_request", Session: k.session, Version: "5.3", Date: time.Now().UTC().Format(time.RFC3339)}
	b, err := json.Marshal(request)
	if err != nil {
		return "", err
	}
	if err := wsutil.WriteClientText(k.conn, b); err != nil {
		return "", err
	}
	stop := context.AfterFunc(ctx, func() { k.conn.Close() })
	defer stop()
	var r reply
	for !r.done || !r.idle {
		b, err := wsutil.ReadServerText(k.conn)
		if err != nil {
			return r.out.String(), errors.Join(err, context.Cause(ctx))
		}
		var m message
		if err := json.Unmarshal(b, &m); err != nil {
			return r.out.String(), err
		}
		if m.Parent.ID != request.Header.ID {
			continue
		}
		if displays := r.take(m); displays && interrupt {
			interrupt = false
			if err := k.do(ctx, "POST", "/api/kernels/"+k.id+"/interrupt", nil, nil); err != nil {
				return r.out.String(), err
			}
		}
	}
	if r.failure == "" && failing.Cell(r.stderr) {
		r.failure = r.stderr
	}
	if r.failure != "" {
		return r.out.String(), errors.New(r.failure)
	}
	return r.out.String(), nil
}

// reply is what a kernel has sent about one cell.
type reply struct {
	out             strings.Builder
	stderr, failure string
	done, idle      bool
}

// take takes a message and tells whether it displays something.
func (r *reply) take(m message) (displays bool) {
	switch m.Header.Type {
	case "status":
		r.idle = m.Content["execution_state"] == "idle"
	case "execute_reply":
		r.done = true
		if m.Content["status"] != "ok" && r.failure == "" {
			r.failure = fmt.Sprint(m.Content)
		}
	case "error":
		r.failure = fmt.Sprint(m.Content["ename"], ": ", m.Content["evalue"])
	case "stream":
		text := fmt.Sprint(m.Content["text"])
		r.out.WriteString(text)
		if m.Content["name"] == "stderr" {
			r.stderr += text
		}
	case "display_data", "update_display_data", "execute_result":
		if data, ok := m.Content["data"].(map[string]any); ok {
			fmt.Fprintln(&r.out, data["text/plain"])
		}
		return true
	}
	return false
}
