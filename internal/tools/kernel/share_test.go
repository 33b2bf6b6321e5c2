package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// next is another session of the same kernel, of another name.
func (b *builder) next() {
	b.t.Helper()
	b.session = newSession(b.t, b.kernel)
	b.env = append(b.env, stagesEnv+"="+filepath.Join(b.dir, "stages"))
	if out, err := b.run(b.t, b.dir, "mod", "init", "gonb_"+filepath.Base(b.dir)); err != nil {
		b.t.Fatalf("%v\n%s", err, out)
	}
}

// A session begins with what those before it know, and not with what has changed since.
func TestShare(t *testing.T) {
	b := newBuilder(t)
	version := prog(`mlreg.Version`, module+"/mlreg")
	b.prints(version, "1", "go")
	b.next()
	b.prints(version, "1", directly)
	b.prints(prog(`strings.ToUpper("a")`, "strings"), "A", "go")
	b.next()
	b.prints(prog(`strings.ToUpper(mlreg.Text)`, "strings", module+"/mlreg"), "A", directly)
	write(t, b.root, map[string]string{"mlreg/mlreg.go": "package mlreg\n\nconst Version = \"new\"\n"})
	b.age()
	b.next()
	b.prints(version, "new", "go")
	b.next()
	b.env = append(b.env, "GOAMD64=v2", "GOARM64=v8.1")
	b.prints(version, "new", "go")
	write(t, b.kernel, map[string]string{planFile: "{"})
	b.next()
	b.prints(version, "new", "go")
}

// The first program of a session is, to the byte, that of the go command in this session.
func TestShareIsTheSame(t *testing.T) {
	b := newBuilder(t)
	build := func(name string, more ...string) []byte {
		write(t, b.dir, map[string]string{"main.go": prog(`mlreg.Version`, module+"/mlreg")})
		args := append([]string{"build", "-o", filepath.Join(b.dir, name), "-ldflags=-s -w -buildid=same"}, more...)
		if out, err := b.run(t, b.dir, args...); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return must(os.ReadFile(filepath.Join(b.dir, name)))
	}
	first := build("cell")
	_ = b.stages()
	b.next()
	second := build("cell")
	if did := b.stages(); did != directly {
		t.Errorf("built by %q", did)
	}
	if bytes.Equal(first, second) {
		t.Error("the program has the name of another session's module")
	}
	if !bytes.Equal(second, build("plain", ".")) { // a package named is the go command's
		t.Error("the program differs from that of the go command")
	}
}

// Without the checksum of a module in go.sum a plan does not count; others may be there.
func TestSummed(t *testing.T) {
	p := &plan{Module: map[string]string{
		"a.org/a": `dep\ta.org/a\tv1.0.0\th1:a=\n`,
		"b.org/b": `dep\tb.org/b\tv1.0.0\n=>\tb.org/c\tv1.1.0\th1:c=\n`,
		module:    `dep\t` + module + `\tv0.0.0\n=>\t/folder\t(devel)\t\n`,
	}}
	dir := t.TempDir()
	for sums, want := range map[string]bool{
		"a.org/a v1.0.0 h1:a=\nb.org/c v1.1.0 h1:c=\n":                                     true,
		"a.org/a v1.0.0 h1:a=\na.org/d v1.0.0/go.mod h1:d=\nb.org/c v1.1.0 h1:c=\n":        true,
		"a.org/a v1.0.0 h1:b=\nb.org/c v1.1.0 h1:c=\n":                                     false,
		"a.org/a v1.0.0 h1:a=\nb.org/b v1.0.0 h1:b=\n":                                     false,
		"a.org/a v1.0.0/go.mod h1:a=\nb.org/b v1.0.0/go.mod h1:b=\nb.org/c v1.1.0 h1:c=\n": false,
	} {
		write(t, dir, map[string]string{"go.sum": sums})
		if got := p.summed(dir); got != want {
			t.Errorf("with go.sum\n%sthe modules are summed: %v, want %v", sums, got, want)
		}
	}
}
