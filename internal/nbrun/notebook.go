package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A notebook is an .ipynb file. The fields of this and the types below stand in
// alphabetical order of their keys, the order in which nbformat writes them.
type notebook struct {
	Cells       []*cell        `json:"cells"`
	Metadata    map[string]any `json:"metadata"`
	Format      int            `json:"nbformat"`
	FormatMinor int            `json:"nbformat_minor"`
}

// A cell is a code, Markdown or raw cell. Code cells, and only they, have an
// ExecutionCount (null at least) and Outputs (empty at least).
type cell struct {
	Attachments    map[string]any  `json:"attachments,omitempty"`
	Type           string          `json:"cell_type"`
	ExecutionCount json.RawMessage `json:"execution_count,omitempty"`
	ID             string          `json:"id,omitempty"`
	Metadata       map[string]any  `json:"metadata"`
	Outputs        []*output       `json:"outputs,omitzero"`
	Source         text            `json:"source"`
}

// An output is what a cell wrote (type stream), displayed (display_data,
// execute_result) or died of (error). Data is keyed by MIME type.
type output struct {
	Data           map[string]json.RawMessage `json:"data,omitzero"`
	Ename          string                     `json:"ename,omitempty"`
	Evalue         string                     `json:"evalue,omitempty"`
	ExecutionCount json.RawMessage            `json:"execution_count,omitempty"`
	Metadata       map[string]any             `json:"metadata,omitzero"`
	Name           string                     `json:"name,omitempty"`
	Type           string                     `json:"output_type"`
	Text           text                       `json:"text,omitempty"`
	Traceback      []string                   `json:"traceback,omitzero"`
}

// text is a string that a notebook stores as a list of lines.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var lines []string
	if err := json.Unmarshal(b, &lines); err == nil {
		*t = text(strings.Join(lines, ""))
		return nil
	}
	return json.Unmarshal(b, (*string)(t))
}

func (t text) MarshalJSON() ([]byte, error) {
	return encode(slices.AppendSeq([]string{}, strings.Lines(string(t))), "")
}

// data returns the output's content of a MIME type, "" if it has none.
func (o *output) data(mime string) string {
	var t text
	if err := json.Unmarshal(o.Data[mime], &t); err != nil {
		return string(o.Data[mime]) // JSON that is not text
	}
	return string(t)
}

// encode is json.Marshal with nbformat's conventions: characters such as < as
// they are, and each level indented by indent.
func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// readNotebook reads an .ipynb file.
func readNotebook(path string) (*notebook, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber() // metadata keep 1.0 as 1.0
	nb := new(notebook)
	if err := d.Decode(nb); err != nil {
		return nil, fmt.Errorf("%s is not a notebook: %w", path, err)
	}
	if nb.Format != 4 {
		return nil, fmt.Errorf("%s has notebook format %d: open and save it in Jupyter to bring it to format 4", path, nb.Format)
	}
	if nb.Cells == nil {
		return nil, fmt.Errorf("%s is not a notebook: it has no list of cells", path)
	}
	for i, c := range nb.Cells {
		if c == nil {
			return nil, fmt.Errorf("%s is not a notebook: cell %d is null", path, i+1)
		}
		for k, o := range c.Outputs {
			if o == nil {
				return nil, fmt.Errorf("%s is not a notebook: output %d of cell %d is null", path, k+1, i+1)
			}
		}
		c.cut()
	}
	return nb, nil
}

// cut shortens a text that a cell has written to what a page can hold, and says so.
func (c *cell) cut() {
	const most = 1 << 20 // bytes of an output
	for _, o := range c.Outputs {
		if n := len(o.Text); n > most {
			end := strings.LastIndexByte(string(o.Text[:most]), '\n') + 1
			if end == 0 {
				end = most
			}
			o.Text = text(fmt.Sprintf("%s\n... cut here by nbrun: the cell wrote %d bytes\n", o.Text[:end], n))
		}
	}
}

// write writes the notebook as nbformat does, at once or not at all.
func (nb *notebook) write(path string) error {
	b, err := encode(nb, " ")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return writeFile(path, append(b, '\n'))
}

// writeFile writes a file under a temporary name and renames it, so that
// whoever reads or writes it at the same time sees one version or the other.
func writeFile(path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(b)
	if e := f.Chmod(0o644); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.Rename(f.Name(), path)
}

// withOutputs returns the notebook with the outputs and execution counts of an
// executed copy of it, free of anything that differs from run to run or from
// machine to machine: timings, the Go version, how a stream was cut into pieces.
func (nb *notebook) withOutputs(executed *notebook) *notebook {
	r := &notebook{Metadata: maps.Clone(nb.Metadata), Format: 4, FormatMinor: 5}
	if r.Metadata == nil {
		r.Metadata = map[string]any{}
	}
	r.Metadata["kernelspec"] = map[string]string{"display_name": kernelDisplay, "language": "go", "name": kernelName}
	r.Metadata["language_info"] = map[string]string{
		"codemirror_mode": "go", "file_extension": ".go", "mimetype": "text/x-go", "name": "go", "pygments_lexer": "go"}
	delete(r.Metadata, "widgets")

	seen := map[string]bool{}
	for i, c := range nb.Cells {
		c := *c
		c.Metadata = maps.Clone(c.Metadata)
		if c.Metadata == nil {
			c.Metadata = map[string]any{}
		}
		for _, key := range []string{"collapsed", "execution", "ExecuteTime", "scrolled", "seconds"} {
			delete(c.Metadata, key)
		}
		if c.ID == "" || seen[c.ID] {
			c.ID = fmt.Sprintf("cell-%d", i+1)
		}
		seen[c.ID] = true
		c.hide()
		if c.Type == "code" {
			c.keepStated(executed.Cells[i])
			c.ExecutionCount = executed.Cells[i].ExecutionCount
			if c.ExecutionCount == nil {
				c.ExecutionCount = json.RawMessage("null")
			}
			c.Outputs = coalesce(executed.Cells[i].Outputs)
		}
		r.Cells = append(r.Cells, &c)
	}
	return r
}

// hide has JupyterLab fold what goes further, below its heading, and the cell of the checks.
func (c *cell) hide() {
	switch {
	case c.startsPortion() && strings.HasPrefix(string(c.Source), "## Further"):
		c.Metadata["jp-MarkdownHeadingCollapsed"] = true
	case c.isChecks():
		c.Metadata["jupyter"] = map[string]any{"outputs_hidden": true, "source_hidden": true}
	}
}

// coalesce returns the outputs with neighboring pieces of a stream made one,
// empty ones left out, and text stored by the line.
func coalesce(outputs []*output) []*output {
	r := []*output{}
	for _, o := range outputs {
		o := *o
		if o.Type == "stream" {
			if o.Text == "" {
				continue
			}
			if n := len(r); n > 0 && r[n-1].Type == "stream" && r[n-1].Name == o.Name {
				r[n-1].Text += o.Text
				continue
			}
		}
		o.Data = maps.Clone(o.Data)
		for mime := range o.Data {
			if strings.HasPrefix(mime, "text/") || mime == "image/svg+xml" {
				o.Data[mime], _ = text(o.data(mime)).MarshalJSON()
			}
		}
		r = append(r, &o)
	}
	return r
}

var (
	heading  = regexp.MustCompile(`(?m)^#{1,6}\s+(.+?)\s*#*$`)
	emphasis = regexp.MustCompile("\\*\\*|__|`|\\*")
	link     = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	sentence = regexp.MustCompile(`^.+?[.!?](\s+[^a-z\s]|\s*$)`)
)

// title returns the text of the first Markdown heading, "" if there is none.
func (nb *notebook) title() string {
	for _, c := range nb.Cells {
		if m := heading.FindStringSubmatch(string(c.Source)); c.Type == "markdown" && m != nil {
			return plain(m[1])
		}
	}
	return ""
}

// summary returns the first sentence of the first Markdown paragraph.
func (nb *notebook) summary() string {
	for _, c := range nb.Cells {
		if c.Type != "markdown" {
			continue
		}
		for _, par := range strings.Split(heading.ReplaceAllString(string(c.Source), "\n"), "\n\n") {
			par = plain(strings.Join(strings.Fields(par), " "))
			if par == "" {
				continue
			}
			if m := sentence.FindStringSubmatch(par); m != nil {
				return strings.TrimSpace(strings.TrimSuffix(m[0], m[1]))
			}
			return par
		}
	}
	return ""
}

// plain returns Markdown text without the marks of links and emphasis.
func plain(s string) string {
	return strings.TrimSpace(emphasis.ReplaceAllString(link.ReplaceAllString(s, "$1"), ""))
}

// picture returns the PNG in base64 that stands for the notebook, "" if it has none: that of its live figure, which
// shows the idea of the page, or else the first.
func (nb *notebook) picture() string {
	first := ""
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			if o.Data["image/png"] == nil {
				continue
			}
			if liveCall.MatchString(string(c.Source)) {
				return o.data("image/png")
			}
			first = cmp.Or(first, o.data("image/png"))
		}
	}
	return first
}

// describe gives the figures of the notebook's page, for those who cannot see
// them, the text that stands beside them in the notebook.
func (nb *notebook) describe(page []byte) []byte {
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			if o.Data["image/png"] != nil && o.Data["text/plain"] != nil {
				src := `src="data:image/png;base64,` + strings.TrimSpace(o.data("image/png"))
				alt := fmt.Sprintf(`alt="%s" %s`, html.EscapeString(o.data("text/plain")), src)
				page = bytes.Replace(page, []byte(src), []byte(alt), 1)
			}
		}
	}
	return page
}
