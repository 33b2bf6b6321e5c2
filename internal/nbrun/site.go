package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed assets
var assets embed.FS

var indexPage = template.Must(template.ParseFS(assets, "assets/index.html"))

// A page is a notebook as the site's index shows it.
type page struct {
	Name, Number, Title, Summary string
	Picture                      string // file name, "" if the notebook has none
}

// newPage takes the number off the front of a file name such as 08_lasso, and
// the same number off the title.
func newPage(r result) page {
	p := page{Name: r.name, Title: r.executed.title(), Summary: r.executed.summary()}
	if number, rest, ok := strings.Cut(r.name, "_"); ok && strings.Trim(number, "0123456789") == "" {
		p.Number = number
		if p.Title == "" {
			p.Title = strings.ReplaceAll(rest, "_", " ")
		}
		p.Title = strings.TrimLeft(strings.TrimPrefix(p.Title, number), " .:·-")
	}
	if p.Title == "" {
		p.Title = r.name
	}
	return p
}

// writeSite writes the executed notebooks, a page of HTML for each and an index
// to a new folder, and puts it in the place of build/site.
func (c *course) writeSite(ctx context.Context, results []result) error {
	site, err := c.tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(site)
	mathjax, err := c.copyMathJax(site)
	if err != nil {
		return err
	}
	var pages []page
	for _, r := range results {
		p := newPage(r)
		if err := r.executed.write(filepath.Join(site, r.name+".ipynb")); err != nil {
			return err
		}
		if picture := r.executed.picture(); picture != "" {
			b, err := base64.StdEncoding.DecodeString(picture)
			if err != nil {
				return fmt.Errorf("%s: first figure: %w", r.name, err)
			}
			p.Picture = r.name + ".png"
			if err := os.WriteFile(filepath.Join(site, p.Picture), b, 0o644); err != nil {
				return err
			}
		}
		pages = append(pages, p)
	}
	if err := c.convert(ctx, site, pages, mathjax); err != nil {
		return err
	}
	var index bytes.Buffer
	if err := indexPage.Execute(&index, map[string]any{"Pages": pages, "MathJax": mathjax}); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(site, "index.html"), index.Bytes(), 0o644); err != nil {
		return err
	}
	if err := os.Chmod(site, 0o755); err != nil {
		return err
	}
	final := filepath.Join(c.build, "site")
	if err := replaceDir(site, final); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "the site is at %s\n", filepath.Join(final, "index.html"))
	return nil
}

// convert writes the HTML pages beside the notebooks in the folder site.
func (c *course) convert(ctx context.Context, site string, pages []page, mathjax string) error {
	if len(pages) == 0 {
		return nil
	}
	// nbconvert looks for templates in the folder it runs in.
	skin := filepath.Join(site, "regbook")
	defer os.RemoveAll(skin)
	if err := os.Mkdir(skin, 0o755); err != nil {
		return err
	}
	for name, to := range map[string]string{
		"page.html.j2": filepath.Join(skin, "index.html.j2"),
		"conf.json":    filepath.Join(skin, "conf.json"),
		"page.css":     filepath.Join(site, "page.css"),
	} {
		b, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, b, 0o644); err != nil {
			return err
		}
	}
	args := []string{"--to", "html", "--template", "regbook"}
	if mathjax != "" {
		args = append(args, "--HTMLExporter.mathjax_url="+mathjax)
	}
	for _, p := range pages {
		args = append(args, p.Name+".ipynb")
	}
	if err := c.nbconvert(ctx, site, args...); err != nil {
		return err
	}
	for i, p := range pages {
		file := filepath.Join(site, p.Name+".html")
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		b = titleTag.ReplaceAllLiteral(b, []byte("<title>"+html.EscapeString(p.Title)+" · Regbook</title>"))
		b = bytes.Replace(b, []byte("<!-- navigation -->"), []byte(navigation(pages, i)), 1)
		if err := os.WriteFile(file, b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

var titleTag = regexp.MustCompile(`(?s)<title>.*?</title>`)

// navigation returns the bar on top of page i.
func navigation(pages []page, i int) string {
	link := func(p page, format string) string {
		return fmt.Sprintf(`<a href="%s.html">%s</a>`, html.EscapeString(p.Name), fmt.Sprintf(format, html.EscapeString(p.Title)))
	}
	s := `<nav class="site-navigation"><a href="index.html">Regbook: all notebooks</a>`
	if i > 0 {
		s += link(pages[i-1], "← %s")
	}
	if i+1 < len(pages) {
		s += link(pages[i+1], "%s →")
	}
	return s + "</nav>"
}

// mathjaxParts is what pages use of MathJax 2.7, some 3 MB of 50.
var mathjaxParts = []string{
	"MathJax.js", "config/TeX-AMS_CHTML-full.js", "config/Safe.js", "extensions",
	"jax/element", "jax/input/TeX", "jax/output/CommonHTML", "fonts/HTML-CSS/TeX/woff",
}

// copyMathJax copies MathJax into the site and returns its address there, or ""
// if this machine has none and pages have to load it from the network.
func (c *course) copyMathJax(site string) (string, error) {
	if _, err := os.Stat(filepath.Join(c.mathjax, mathjaxParts[0])); c.mathjax == "" || errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(c.out, "no MathJax on this machine: the pages will load it from the network")
		return "", nil
	}
	for _, part := range mathjaxParts {
		if err := copyTree(filepath.Join(c.mathjax, part), filepath.Join(site, "mathjax", part)); err != nil {
			return "", fmt.Errorf("copying MathJax: %w", err)
		}
	}
	return "mathjax/MathJax.js?config=TeX-AMS_CHTML-full,Safe", nil
}

// copyTree copies a file or folder, following symbolic links.
func copyTree(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		b, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, b, 0o644)
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := copyTree(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// replaceDir renames folder from to to, moving away what is there. Another
// process may do the same: whoever comes last wins.
func replaceDir(from, to string) error {
	var err error
	for range 10 {
		old := from + "-old"
		if err := os.Rename(to, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		err = os.Rename(from, to)
		if e := os.RemoveAll(old); e != nil {
			return e
		}
		if err == nil {
			return nil
		}
	}
	return err
}
