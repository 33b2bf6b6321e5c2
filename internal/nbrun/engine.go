package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// The engine is the program internal/engine, which pages load when a reader touches a control: engine.js holds
// it, packed, as text, since a page that is opened as a file can read nothing else.
const engineScript = "engine.js"

// writeEngine compiles the engine for the browser and writes engine.js. What was packed before
// is taken again if the program is the same.
func (s *site) writeEngine(ctx context.Context) error {
	build := filepath.Join(s.build, "engine")
	if err := os.MkdirAll(build, 0o755); err != nil {
		return err
	}
	wasm := filepath.Join(build, "engine.wasm")
	if err := s.compileEngine(ctx, build, wasm); err != nil {
		return err
	}
	program, err := os.ReadFile(wasm)
	if err != nil {
		return err
	}
	packed := filepath.Join(build, fmt.Sprintf("%x.lzma", sha256.Sum256(program)))
	if _, err := os.Stat(packed); err != nil {
		b, err := printedBy(exec.CommandContext(ctx, "xz", "--format=lzma", "-9e", "--keep", "--stdout", wasm))
		if err != nil {
			return err
		}
		if err := os.WriteFile(packed, b, 0o644); err != nil {
			return err
		}
	}
	b, err := os.ReadFile(packed)
	if err != nil {
		return err
	}
	goroot, err := printedBy(exec.CommandContext(ctx, "go", "env", "GOROOT"))
	if err != nil {
		return err
	}
	worker, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	own, err := assets.ReadFile("assets/worker.js")
	if err != nil {
		return err
	}
	script, err := json.Marshal(map[string]any{
		"worker": string(worker) + "\n" + string(own), "size": len(program), "wasm": base64.StdEncoding.EncodeToString(b),
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "the engine of live figures has %.1f MB, %.1f MB packed\n", float64(len(program))/1e6, float64(len(b))/1e6)
	return s.write(engineScript, append(append([]byte("var regbookEngine = "), script...), ";\n"...))
}

// unusedOfPlot finds in files of gonum/plot what figures do not use, and readers would wait for: ten of
// its twelve fonts, imported and loaded, and pictures as JPEG and TIFF.
var unusedOfPlot = map[string][]*regexp.Regexp{
	"font/liberation/liberation.go": {
		regexp.MustCompile(`(?m)^\t"codeberg.org/go-fonts/liberation/(\w+)"\n`),
		regexp.MustCompile(`(?s)\taddColl\(font\.Font\{[^}]*\}, (\w+)\.TTF\)\n`),
	},
	"vg/vgimg/vgimg.go": {regexp.MustCompile(`(?s)\tvgdraw\.RegisterFormat\("(\w+)".*?\n\t\}\)\n`)},
}

// compileEngine compiles the engine from a copy of gonum/plot without what is unused. Calls are not
// inlined but in the algorithms: a tenth less to load.
func (s *site) compileEngine(ctx context.Context, build, wasm string) error {
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "gonum.org/v1/plot")
	list.Dir = s.root
	out, err := printedBy(list)
	if err != nil {
		return err
	}
	plot := filepath.Join(build, "plot")
	if err := os.RemoveAll(plot); err != nil {
		return err
	}
	if err := copyTree(strings.TrimSpace(string(out)), plot); err != nil {
		return err
	}
	for file, unused := range unusedOfPlot {
		file = filepath.Join(plot, filepath.FromSlash(file))
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, match := range unused {
			src = match.ReplaceAllFunc(src, func(found []byte) []byte {
				switch string(match.FindSubmatch(found)[1]) {
				case "liberationsansregular", "liberationsansbold", "png":
					return found
				}
				return nil
			})
		}
		// A plot measures its empty texts in a font with serifs, until it has another.
		src = bytes.Replace(src, []byte("once.Do(func() {\n"), []byte("once.Do(func() {\n\t\taddColl(font.Font{}, liberationsansregular.TTF)\n"), 1)
		if err := os.WriteFile(file, src, 0o644); err != nil {
			return err
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile(filepath.Join(s.root, name))
		if err != nil {
			return err
		}
		if name == "go.mod" {
			b = fmt.Appendf(b, "\nreplace gonum.org/v1/plot => %s\n", plot)
		}
		if err := os.WriteFile(filepath.Join(build, name), b, 0o644); err != nil {
			return err
		}
	}
	compile := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-modfile", filepath.Join(build, "go.mod"), "-trimpath",
		"-tags", "minimal", "-ldflags", "-s -w", "-gcflags=all=-l", "-gcflags=github.com/regbook/regbook/mlreg/internal/...=", "-gcflags=gonum.org/v1/gonum/...=",
		"-o", wasm, "./internal/engine")
	compile.Dir = s.root
	compile.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=-mod=mod")
	_, err = printedBy(compile)
	return err
}

// liveCall finds the explorable that a cell shows as a slider.
var liveCall = regexp.MustCompile(`\blive\.([A-Z]\w*)\(\)`)

// live returns the function of the explorable that a cell shows as a slider, or "".
func (c *cell) live() string {
	if m := liveCall.FindStringSubmatch(string(c.Source)); m != nil && strings.Contains(string(c.Source), ".Slider()") {
		return m[1]
	}
	return ""
}
