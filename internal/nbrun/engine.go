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

	"github.com/regbook/regbook/internal/try"
)

// The engine is the program internal/engine, which pages load when a reader touches a control: engine.js holds
// it, packed, as text, since a page that is opened as a file can read nothing else.
const engineScript = "engine.js"

// writeEngine compiles the engine for the browser and writes engine.js. What was packed before
// is taken again if the program is the same.
func (s *site) writeEngine(ctx context.Context) {
	if s.still {
		return
	}
	build := filepath.Join(s.build, "engine")
	try.Check(os.MkdirAll(build, 0o755))
	wasm := filepath.Join(build, "engine.wasm")
	s.compileEngine(ctx, build, wasm)
	program, err := withoutLines(try.Get(os.ReadFile(wasm)))
	if err != nil {
		try.Fail(fmt.Errorf("the engine: %w", err))
	}
	try.Check(os.WriteFile(wasm, program, 0o644))
	packed := filepath.Join(build, fmt.Sprintf("%x.lzma", sha256.Sum256(program)))
	if _, err := os.Stat(packed); err != nil {
		b := try.Get(printedBy(exec.CommandContext(ctx, "xz", "--format=lzma", "--lzma1=preset=9e,lc=4,pb=0", "--keep", "--stdout", wasm)))
		try.Check(os.WriteFile(packed, b, 0o644))
	}
	b := try.Get(os.ReadFile(packed))
	goroot := try.Get(printedBy(exec.CommandContext(ctx, "go", "env", "GOROOT")))
	worker := try.Get(os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js")))
	own := try.Get(assets.ReadFile("assets/worker.js"))
	script := try.Get(json.Marshal(map[string]any{
		"worker": string(worker) + "\n" + string(own), "size": len(program), "wasm": base64.StdEncoding.EncodeToString(b),
	}))
	fmt.Fprintf(s.out, "the engine of live figures has %.1f MB, %.1f MB packed\n", float64(len(program))/1e6, float64(len(b))/1e6)
	s.write(engineScript, append(append([]byte("var regbookEngine = "), script...), ";\n"...))
}

// unusedOfPlot finds in files of gonum/plot what the engine does not use, and readers would wait for: ten of
// its twelve fonts, and files of pictures, since a page asks for SVG.
var unusedOfPlot = map[string][]*regexp.Regexp{
	"font/liberation/liberation.go": {
		regexp.MustCompile(`(?m)^\t"codeberg.org/go-fonts/liberation/\w+"\n`),
		regexp.MustCompile(`(?s)\taddColl\(font\.Font\{[^}]*\}, liberation(serif|mono|sans(bold)?italic)\w*\.TTF\)\n`),
	},
	"vg/vgimg/vgimg.go": {
		regexp.MustCompile(`(?m)^\t"(bufio|image/jpeg|image/png|golang.org/x/image/tiff)"\n`),
		regexp.MustCompile(`(?s)\tvgdraw\.RegisterFormat\(.*?\n\t\}\)\n`),
		regexp.MustCompile(`(?m)^\tvgdraw ".*\n`),
		regexp.MustCompile(`(?s)func \(c (Jpeg|Png|Tiff)Canvas\) WriteTo.*?\n\}\n`),
	},
}

// fontsOfFigures are the two that are left.
var fontsOfFigures = []string{"liberationsansregular", "liberationsansbold"}

// copyPlot copies gonum/plot without what is unused.
func (s *site) copyPlot(ctx context.Context, to string) {
	from := s.moduleDir(ctx, "gonum.org/v1/plot")
	try.Check(os.RemoveAll(to))
	try.Check(copyTree(from, to))
	for file, unused := range unusedOfPlot {
		file = filepath.Join(to, filepath.FromSlash(file))
		src := try.Get(os.ReadFile(file))
		for _, match := range unused {
			src = match.ReplaceAll(src, nil)
		}
		// A plot measures its empty texts in a font with serifs, until it has another.
		src = bytes.Replace(src, []byte("once.Do(func() {\n"), []byte("once.Do(func() {\n\t\taddColl(font.Font{}, liberationsansregular.TTF)\n"), 1)
		src = bytes.ReplaceAll(src, []byte(".TTF)"), []byte(")"))
		try.Check(os.WriteFile(file, src, 0o644))
	}
	// Texts in LaTeX, which no figure has, bring a parser and four more fonts.
	try.Check(os.Remove(filepath.Join(to, "text", "latex.go")))
	s.copyFonts(ctx, filepath.Join(to, "font", "liberation"))
}

// copyFonts puts the fonts of figures, without their hints, where gonum/plot's package takes them from.
func (s *site) copyFonts(ctx context.Context, to string) {
	from := s.moduleDir(ctx, "codeberg.org/go-fonts/liberation")
	src := "package liberation\n\nimport _ \"embed\"\n"
	for _, name := range fontsOfFigures {
		files := try.Get(filepath.Glob(filepath.Join(from, name, "*.ttf")))
		if len(files) != 1 {
			try.Fail(fmt.Errorf("%s has %d fonts", name, len(files)))
		}
		font, err := withoutHints(try.Get(os.ReadFile(files[0])))
		if err != nil {
			try.Fail(fmt.Errorf("%s: %w", name, err))
		}
		try.Check(os.WriteFile(filepath.Join(to, name+".ttf"), font, 0o644))
		src += fmt.Sprintf("\n//go:embed %s.ttf\nvar %[1]s []byte\n", name)
	}
	try.Check(os.WriteFile(filepath.Join(to, "fonts.go"), []byte(src), 0o644))
}

// moduleDir returns the folder of a module that is required.
func (s *site) moduleDir(ctx context.Context, module string) string {
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module)
	list.Dir = s.root
	return strings.TrimSpace(string(try.Get(printedBy(list))))
}

// compileEngine compiles the engine from a copy of gonum/plot without what is unused. Calls are not
// inlined but in the algorithms, where files are read, and in the engine's own package, where that is
// shorter: a tenth less to load.
func (s *site) compileEngine(ctx context.Context, build, wasm string) {
	plot := filepath.Join(build, "plot")
	s.copyPlot(ctx, plot)
	for _, name := range []string{"go.mod", "go.sum"} {
		b := try.Get(os.ReadFile(filepath.Join(s.root, name)))
		if name == "go.mod" {
			b = fmt.Appendf(b, "\nreplace gonum.org/v1/plot => %s\n", plot)
		}
		try.Check(os.WriteFile(filepath.Join(build, name), b, 0o644))
	}
	compile := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-modfile", filepath.Join(build, "go.mod"), "-trimpath",
		"-tags", "minimal", "-ldflags", "-s -w", "-gcflags=all=-l", "-gcflags=github.com/regbook/regbook/mlreg/internal/...=", "-gcflags=github.com/regbook/regbook/frames=", "-gcflags=github.com/regbook/regbook/internal/engine=", "-gcflags=gonum.org/v1/gonum/...=",
		"-o", wasm, "./internal/engine")
	compile.Dir = s.root
	compile.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=-mod=mod")
	try.Get(printedBy(compile))
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
