// Package keep keeps values on disk between the cells of a notebook, each of which
// is a program of its own.
//
// The kernel has a cache of its own (package gonb/cache). It is not used here: it
// ends the program when no temporary folder can be made, even of cells that keep
// nothing, goes by the name alone, and stores a data frame as nothing without a word.
package keep

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/regbook/regbook/internal/wholefile"
	"github.com/regbook/regbook/mlreg"
)

// Dependency is what a value was computed from: it is stale if its hash changes.
type Dependency struct {
	Label string // "file flights.csv", "dependency 2", "the function"
	Hash  [16]byte
	// Of a file: its size and time, if it was not written just now. Where they are
	// the same, its contents are not read again.
	Stamp string
	path  string
}

// header begins a file of the store; the value follows.
type header struct {
	Type         string // of the value, with its package
	Dependencies []Dependency
	Length       int
	Sum          uint32 // of the value
}

var table = crc32.MakeTable(crc32.Castagnoli)

// Store is a folder of values, by name.
type Store struct{ dir string }

// Open returns the store of the folder that the program runs in, which is that of
// the notebook: in the user's cache folder, readable by the user alone.
func Open() (*Store, error) {
	cache := os.Getenv("REGBOOK_KEEP") // the project's runner gives each run a folder of its own
	if cache == "" {
		var err error
		if cache, err = os.UserCacheDir(); err != nil {
			return nil, err
		}
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return &Store{filepath.Join(cache, "regbook", "keep", fmt.Sprintf("%x", hashed([]byte(here))))}, nil
}

// hashed is FNV-1a of 128 bits: nobody forges what is kept, and a cryptographic hash
// would bring 27 packages to every cell.
func hashed(b []byte) (sum [16]byte) {
	h := fnv.New128a()
	h.Write(b)
	h.Sum(sum[:0])
	return sum
}

func plainName(name string) bool {
	for i, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && (i == 0 || !strings.ContainsRune(" _.-", r)) {
			return false
		}
	}
	return name != "" && utf8.ValidString(name) && utf8.RuneCountInString(name) <= 100
}

// path returns the file of a name.
func (s *Store) path(name string) (string, error) {
	if !plainName(name) {
		return "", fmt.Errorf("%w: the name %q does not consist of letters, digits, blanks and _.- (100 at most)", mlreg.ErrSetting, name)
	}
	return filepath.Join(s.dir, name+".kept"), nil
}

// Load reads the value of a name. A value that was not kept is found = false. If why
// is not empty, there is one that cannot be used: why says which dependency changed,
// or what is wrong with the file. The error is mlreg.ErrSetting for a bad name.
func (s *Store) Load(name, typ string, dependencies []Dependency) (body []byte, found bool, why string, err error) {
	path, err := s.path(name)
	if err != nil {
		return nil, false, "", err
	}
	file, err := os.ReadFile(path)
	switch {
	case os.IsNotExist(err):
		return nil, false, "", nil
	case err != nil:
		return nil, true, err.Error(), nil
	}
	in := bytes.NewReader(file)
	var h header
	if err := gob.NewDecoder(in).Decode(&h); err != nil || h.Length != in.Len() {
		return nil, true, "its file is damaged", nil
	}
	body = file[len(file)-h.Length:]
	if crc32.Checksum(body, table) != h.Sum {
		return nil, true, "its file is damaged", nil
	}
	if h.Type != typ {
		return nil, true, fmt.Sprintf("its type was %s and is %s", h.Type, typ), nil
	}
	why, err = changed(h.Dependencies, dependencies)
	return body, true, why, err
}

// changed names the first dependency that differs. The error is that of a file.
func changed(before, now []Dependency) (string, error) {
	for i, d := range now {
		switch {
		case i >= len(before) || before[i].Label != d.Label:
			return "its dependencies are others", nil
		case d.Stamp != "" && before[i].Stamp == d.Stamp:
			continue
		}
		if err := d.read(); err != nil {
			return "", err
		}
		if before[i].Hash != d.Hash {
			return d.Label + " changed", nil
		}
	}
	if len(before) > len(now) {
		return "its dependencies are others", nil
	}
	return "", nil
}

// FileDependency is the contents of a file. The error is that of the file.
func FileDependency(path string) (Dependency, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Dependency{}, err
	}
	d := Dependency{Label: "file " + filepath.Base(path), path: path}
	if modified := info.ModTime(); time.Since(modified) > 2*time.Second {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return Dependency{}, err
		}
		d.Stamp = fmt.Sprintf("%s %d %d", absolute, info.Size(), modified.UnixNano())
	}
	return d, nil
}

// read hashes the contents of a file, unless they are known.
func (d *Dependency) read() error {
	if d.path == "" {
		return nil
	}
	b, err := os.ReadFile(d.path)
	if err != nil {
		return err
	}
	d.Hash, d.path = hashed(b), ""
	return nil
}

// Save writes the value of a name.
func (s *Store) Save(name, typ string, dependencies []Dependency, body []byte) error {
	path, err := s.path(name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	dependencies = slices.Clone(dependencies)
	for i := range dependencies {
		if err := dependencies[i].read(); err != nil {
			return err
		}
	}
	return wholefile.Write(path, func(w io.Writer) error {
		h := header{typ, dependencies, len(body), crc32.Checksum(body, table)}
		if err := gob.NewEncoder(w).Encode(h); err != nil {
			return err
		}
		_, err := w.Write(body)
		return err
	})
}

// Forget removes the value of a name; there need not be one.
func (s *Store) Forget(name string) error {
	path, err := s.path(name)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}
