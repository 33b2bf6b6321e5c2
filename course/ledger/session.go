package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A session is what the cells of a running kernel state. Each cell is a program of
// its own, so they share a file, a line for each result and each bound value.
type session struct {
	file  string // "" outside a kernel
	run   string // names the program
	own   []line // of this program
	bound map[string]string
}

// The file is in the folder of GoNB's session, which ends with the kernel, unless
// the runner of the course's notebooks names another, which it reads.
const fileEnv, folderEnv = "REGBOOK_LEDGER", "GONB_TMP_DIR"

var current = newSession()

func newSession() *session {
	s := &session{file: os.Getenv(fileEnv), run: strconv.FormatInt(time.Now().UnixNano(), 36), bound: map[string]string{}}
	if folder := os.Getenv(folderEnv); s.file == "" && folder != "" {
		s.file = filepath.Join(folder, "ledger")
	}
	return s
}

// A line is the run, then what is stated: "check", whether it holds, its name, what
// was got and what was wanted; or "bind", a name and a value.
type line []string

func (s *session) write(fields ...string) error {
	l := append(line{s.run}, fields...)
	s.own = append(s.own, l)
	if s.file == "" {
		return nil
	}
	f, err := os.OpenFile(s.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(strings.Join(l, "\t") + "\n")
	return errors.Join(err, f.Close())
}

func (s *session) state(c check) {
	err := s.write("check", strconv.FormatBool(c.ok), strconv.Quote(c.name), strconv.Quote(c.got), strconv.Quote(c.want))
	if err != nil {
		panic(fmt.Errorf("ledger: %w", err))
	}
}

func (s *session) bind(name, value string) error {
	if is, ok := s.bound[name]; ok {
		if is != value {
			return fmt.Errorf("the value is %s, and was %s before", value, is)
		}
		return nil
	}
	s.bound[name] = value
	return s.write("bind", name, value)
}

// lines returns what all programs of the session have stated, and forgets what
// this one has if nobody else has stored it.
func (s *session) lines() ([]line, error) {
	if s.file == "" {
		own := s.own
		s.own = nil
		return own, nil
	}
	b, err := os.ReadFile(s.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []line
	for text := range strings.Lines(string(b)) {
		all = append(all, strings.Split(strings.TrimSuffix(text, "\n"), "\t"))
	}
	return all, nil
}

// checks returns the results of the session: of each name those of the last program
// that stated it.
func (s *session) checks() ([]check, error) {
	all, err := s.lines()
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(l line) bool { return len(l) != 6 || l[1] != "check" })
	last := map[string]string{}
	for _, l := range all {
		last[l[3]] = l[0]
	}
	var stated []check
	for _, l := range all {
		if l[0] != last[l[3]] {
			continue
		}
		c := check{ok: l[2] == "true"}
		for i, field := range []*string{&c.name, &c.got, &c.want} {
			if *field, err = strconv.Unquote(l[3+i]); err != nil {
				return nil, fmt.Errorf("%s: %w", s.file, err)
			}
		}
		stated = append(stated, c)
	}
	return stated, nil
}
