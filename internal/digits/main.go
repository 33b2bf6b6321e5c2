// Command digits counts the correct digits of the coefficients and standard
// errors that this project, R, statsmodels and scikit-learn give for the
// regressions that NIST certifies. make digits runs it; peers that are not
// installed are left out.
//
// The digits of a set are those of its worst value, -log10 of the relative
// error (of the absolute one where the certified value is 0), 0 to 15. A value
// that a program leaves out or gives no number for has 0. Programs are given the
// data as float64 and, where they take columns instead of a formula, the powers
// of x rounded to float64.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

//go:embed peers.py
var python string

//go:embed peers.R
var r string

// values are what a program gives for a set; null where it gives no number.
type values struct {
	Coef, StdErr []*float64
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run() error {
	var sets []*datasets.Certified
	for _, name := range datasets.NISTNames() {
		set, err := datasets.NIST(name)
		if err != nil {
			return err
		}
		sets = append(sets, set)
	}
	input, err := json.Marshal(sets)
	if err != nil {
		return err
	}
	us, err := ours(sets)
	if err != nil {
		return err
	}
	programs := []string{"Regbook"}
	results := map[string]map[string]values{"Regbook": us}
	for _, peer := range []struct {
		command []string
		script  string
	}{{[]string{"Rscript", "-"}, r}, {[]string{"/usr/bin/python3", "-"}, python}} {
		theirs, err := ask(peer.command, peer.script, input)
		if err != nil {
			fmt.Fprintln(os.Stderr, "digits:", err)
			continue
		}
		for _, answer := range theirs {
			programs = append(programs, answer.Program)
			results[answer.Program] = answer.Sets
		}
	}
	fmt.Printf("| set | %s |\n|--%s|\n", strings.Join(programs, " | "), strings.Repeat("|--", len(programs)))
	for _, set := range sets {
		fmt.Printf("| %s ", set.Name)
		for _, program := range programs {
			v := results[program][set.Name]
			fmt.Printf("| %s / %s ", worst(v.Coef, set.Coef), worst(v.StdErr, set.StdErr))
		}
		fmt.Println("|")
	}
	return nil
}

// ours fits every set through its formula.
func ours(sets []*datasets.Certified) (map[string]values, error) {
	fits := make(map[string]values)
	for _, set := range sets {
		d, err := frames.Design(set.Frame(), set.Formula())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set.Name, err)
		}
		fit, err := mlreg.FitOLS(d, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set.Name, err)
		}
		fits[set.Name] = values{pointers(fit.Coef()), pointers(fit.StdErr())}
	}
	return fits, nil
}

func pointers(v []float64) []*float64 {
	p := make([]*float64, len(v))
	for i := range v {
		p[i] = &v[i]
	}
	return p
}

// answer is what a peer's script prints for each program it knows.
type answer struct {
	Program string
	Sets    map[string]values
}

// ask runs a peer's script on the sets. The script comes by standard input, the
// sets in a file named by its environment.
func ask(command []string, script string, input []byte) ([]answer, error) {
	file, err := os.CreateTemp("", "digits-*.json")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	if _, err := file.Write(input); err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin = strings.NewReader(script)
	cmd.Env = append(os.Environ(), "DIGITS_INPUT="+file.Name())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", command[0], err, lastLine(stderr.String()))
	}
	var answers []answer
	if err := json.Unmarshal(out, &answers); err != nil {
		return nil, fmt.Errorf("%s: %w", command[0], err)
	}
	return answers, nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// worst returns the number of correct digits of the worst value, a dash if
// there are no values.
func worst(got []*float64, certified []float64) string {
	if len(got) == 0 {
		return "–"
	}
	var values []float64
	for _, v := range got {
		if v != nil {
			values = append(values, *v)
		}
	}
	digits, err := datasets.CorrectDigits(values, certified)
	if err != nil { // a value is missing
		return "0"
	}
	return strconv.FormatFloat(digits, 'f', 1, 64)
}
