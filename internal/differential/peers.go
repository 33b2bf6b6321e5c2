package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/regbook/regbook/internal/randomtable"
)

//go:embed peers.R
var script []byte

// packages are Debian's packages of R and what peers.R loads of it.
var packages = []string{"r-base-core", "r-recommended", "r-cran-jsonlite", "r-cran-lmtest", "r-cran-car", "r-cran-glmnet",
	"r-cran-leaps", "r-cran-bms"}

// needed are the packages of R that peers.R loads.
var needed = []string{"splines", "MASS", "jsonlite", "lmtest", "car", "glmnet", "leaps", "BMS"}

// checkPeers tells what is missing of R.
func checkPeers() error {
	load := "for (p in c('" + strings.Join(needed, "','") + "')) loadNamespace(p)"
	if out, err := exec.Command("Rscript", "--vanilla", "-e", load).CombinedOutput(); err != nil {
		return fmt.Errorf("no R with its packages: %w\n%son Debian or Ubuntu, as root: apt-get install %s", err, out, strings.Join(packages, " "))
	}
	return nil
}

// answer is what R gives for a case.
type answer struct {
	ID       string            `json:"id"`
	Refused  string            `json:"refused,omitempty"`
	Warnings []string          `json:"warnings,omitempty"`
	Values   map[string]vector `json:"values,omitempty"`
}

// vector is a quantity as R gives it: numbers, texts or an error. Of a stored vector,
// Length is set and only the values at kept(Length) are there.
type vector struct {
	Numbers []number `json:"v,omitempty"`
	Texts   []string `json:"s,omitempty"`
	Error   string   `json:"e,omitempty"`
	Length  int      `json:"n,omitempty"`
}

// number is a float64 that JSON has as null if it is NaN, and as a text if it is infinite.
type number float64

func (x *number) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "null":
		*x = number(math.NaN())
	case `"Inf"`:
		*x = number(math.Inf(1))
	case `"-Inf"`:
		*x = number(math.Inf(-1))
	default:
		var v float64
		err := json.Unmarshal(b, &v)
		*x = number(v)
		return err
	}
	return nil
}

func (x number) MarshalJSON() ([]byte, error) {
	switch v := float64(x); {
	case math.IsNaN(v):
		return []byte("null"), nil
	case math.IsInf(v, 1):
		return []byte(`"Inf"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-Inf"`), nil
	default:
		return []byte(randomtable.Text(v, 12)), nil // what is stored; R writes its own
	}
}

// batch is how many cases a process of R is given.
const batch = 100

// askR has some processes of R answer the cases, and calls done after each batch.
func askR(dir string, cases []*Case, processes int, done func()) (map[string]*answer, error) {
	for _, c := range cases {
		if err := c.write(dir); err != nil {
			return nil, err
		}
	}
	answers := make(map[string]*answer)
	var mutex sync.Mutex
	var errs []error
	var group sync.WaitGroup
	slots := make(chan struct{}, processes)
	for part := range slices.Chunk(cases, batch) {
		group.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; group.Done() }()
			got, err := askOnce(dir, part)
			mutex.Lock()
			defer mutex.Unlock()
			for _, a := range got {
				answers[a.ID] = a
			}
			if err != nil {
				errs = append(errs, err)
			}
			done()
		}()
	}
	group.Wait()
	return answers, errors.Join(errs...)
}

// write writes the tables of a case.
func (c *Case) write(dir string) error {
	name := filepath.Join(dir, strings.ReplaceAll(c.ID, "/", "-"))
	c.File, c.NewFile = name+".csv", name+"-new.csv"
	return errors.Join(os.WriteFile(c.File, c.table.CSV(), 0o666), os.WriteFile(c.NewFile, c.rows.CSV(), 0o666))
}

// askOnce runs R on some cases. If it dies, the case that it died of is refused, and the
// rest are asked again.
func askOnce(dir string, cases []*Case) ([]*answer, error) {
	input, err := json.Marshal(cases)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, strings.ReplaceAll(cases[0].ID, "/", "-"))
	program := name + ".R"
	if err := errors.Join(os.WriteFile(name+".json", input, 0o666), os.WriteFile(program, script, 0o666)); err != nil {
		return nil, err
	}
	cmd := exec.Command("Rscript", "--vanilla", program, name+".json", name+".jsonl")
	cmd.Env = append(os.Environ(), "LC_ALL=", "LC_CTYPE=C.UTF-8", "LC_COLLATE=C", "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	died := cmd.Run()
	answers, err := readAnswers(name + ".jsonl")
	if err != nil || died == nil {
		return answers, err
	}
	n := len(answers)
	if n == len(cases) {
		return answers, nil
	}
	message := strings.TrimSpace(stderr.String())
	if n == 0 && len(cases) == batch {
		return nil, fmt.Errorf("process of R: %w: %s", died, message)
	}
	answers = append(answers, &answer{ID: cases[n].ID, Refused: "R died: " + lastLine(message)})
	if n+1 == len(cases) {
		return answers, nil
	}
	rest, err := askOnce(dir, cases[n+1:])
	return append(answers, rest...), err
}

func lastLine(text string) string { return text[strings.LastIndexByte(text, '\n')+1:] }

func readAnswers(name string) ([]*answer, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil // R did not get so far
	}
	defer f.Close()
	var answers []*answer
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		a := new(answer)
		if err := json.Unmarshal(lines.Bytes(), a); err != nil {
			return answers, fmt.Errorf("%s: %w in %.200s", name, err, lines.Text())
		}
		answers = append(answers, a)
	}
	return answers, lines.Err()
}
