package docs

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// moduleFiles returns the files of this clone that Git keeps, or would, and that
// are part of the main module: none below a go.mod other than the root's.
func moduleFiles(t *testing.T) []string {
	cmd := exec.Command("git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("git does not list the files of this folder: %v", err)
	}
	files := strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
	var nested []string
	for _, f := range files {
		if dir := path.Dir(f); path.Base(f) == "go.mod" && dir != "." {
			nested = append(nested, dir+"/")
		}
	}
	return slices.DeleteFunc(files, func(f string) bool {
		_, err := os.Stat(filepath.Join(root, f))
		return err != nil || slices.ContainsFunc(nested, func(dir string) bool { return strings.HasPrefix(f, dir) })
	})
}

// What "go get" fetches is small: notebooks and pictures are no part of it.
func TestModuleIsSmall(t *testing.T) {
	const most = 4 << 20
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range moduleFiles(t) {
		data, err := os.ReadFile(filepath.Join(root, f))
		if err != nil {
			t.Fatal(err)
		}
		w, err := z.Create("github.com/regbook/regbook@v0.0.0/" + f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if b.Len() > most {
		t.Errorf("the module's zip has %d bytes, want at most %d; a go.mod in a folder keeps the folder out", b.Len(), most)
	}
}

// The folder of the notebooks holds no Go code: it is a module without packages.
func TestNotebooksHoldNoCode(t *testing.T) {
	err := filepath.WalkDir(filepath.Join(root, "notebooks"), func(file string, d os.DirEntry, err error) error {
		if err == nil && filepath.Ext(file) == ".go" {
			t.Errorf("%s: what notebooks import is in course/", file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
