package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// A server is a running Jupyter server.
type server struct {
	base  string // without a slash at the end
	token string
}

// newServer takes the address that Jupyter prints, such as
// http://127.0.0.1:8888/lab?token=0123.
func newServer(address string) (*server, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if u.Host == "" || u.Query().Get("token") == "" {
		return nil, fmt.Errorf("%q is not the address of a Jupyter server with its token", address)
	}
	return &server{base: u.Scheme + "://" + u.Host, token: u.Query().Get("token")}, nil
}

// do sends a request with a body in JSON, nil for none, and decodes the answer
// into answer, unless that is nil. An answer of status 400 or more is an error.
func (s *server) do(ctx context.Context, method, path string, body, answer any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, method, s.base+path, bytes.NewReader(b))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "token "+s.token)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	b, err = io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 400 {
		return fmt.Errorf("%s %s: %s: %.300s", method, path, response.Status, b)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(b, answer)
}

// status returns the status of a GET with a token, "" for none.
func (s *server) status(ctx context.Context, path, token string) (int, error) {
	r, err := http.NewRequestWithContext(ctx, "GET", s.base+path, nil)
	if err != nil {
		return 0, err
	}
	if token != "" {
		r.Header.Set("Authorization", "token "+token)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// A notebook as far as the tests need it.
type notebook struct {
	Cells    []map[string]any `json:"cells"`
	Metadata map[string]any   `json:"metadata"`
	Format   int              `json:"nbformat"`
	Minor    int              `json:"nbformat_minor"`
}

// readNotebook reads a file and takes its outputs out.
func readNotebook(path string) (*notebook, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	nb := new(notebook)
	if err := json.Unmarshal(b, nb); err != nil {
		return nil, fmt.Errorf("%s is not a notebook: %w", path, err)
	}
	for _, c := range nb.Cells {
		if c["cell_type"] == "code" {
			c["outputs"], c["execution_count"] = []any{}, nil
		}
	}
	nb.Metadata["kernelspec"] = map[string]string{"display_name": "Go (Regbook)", "language": "go", "name": "regbook"}
	return nb, nil
}

// outputs counts the outputs that are figures and those that are tables.
func (nb *notebook) outputs() (figures, tables int, err error) {
	for _, c := range nb.Cells {
		b, err := json.Marshal(c["outputs"])
		if err != nil {
			return 0, 0, err
		}
		figures += bytes.Count(b, []byte(`"image/png":"`))
		tables += bytes.Count(b, []byte(`/table\u003e`)) // base64 may have /table
	}
	return figures, tables, nil
}

// put writes a copy of the notebook to the server under a name of its own,
// which it returns.
func (s *server) put(ctx context.Context, nb *notebook, path string) (name string, err error) {
	name = fmt.Sprintf("e2e-%d-%s", os.Getpid(), filepath.Base(path))
	return name, s.do(ctx, "PUT", "/api/contents/"+url.PathEscape(name), map[string]any{"type": "notebook", "format": "json", "content": nb}, nil)
}

// connected reports whether a page is connected to the kernel of a notebook.
func (s *server) connected(ctx context.Context, name string) (bool, error) {
	var sessions []struct {
		Path   string
		Kernel struct{ Connections int }
	}
	err := s.do(ctx, "GET", "/api/sessions", nil, &sessions)
	for _, session := range sessions {
		if session.Path == name && session.Kernel.Connections > 0 {
			return true, err
		}
	}
	return false, err
}

// remove ends the sessions of a notebook and removes it, even if ctx is over.
func (s *server) remove(ctx context.Context, name string) error {
	ctx = context.WithoutCancel(ctx)
	var sessions []struct{ ID, Path string }
	if err := s.do(ctx, "GET", "/api/sessions", nil, &sessions); err != nil {
		return err
	}
	for _, session := range sessions {
		if session.Path == name {
			if err := s.do(ctx, "DELETE", "/api/sessions/"+session.ID, nil, nil); err != nil {
				return err
			}
		}
	}
	return s.do(ctx, "DELETE", "/api/contents/"+url.PathEscape(name), nil, nil)
}

// source returns the text of a cell.
func source(cell map[string]any) string {
	switch v := cell["source"].(type) {
	case string:
		return v
	case []any:
		var b strings.Builder
		for _, line := range v {
			fmt.Fprint(&b, line)
		}
		return b.String()
	}
	return ""
}
