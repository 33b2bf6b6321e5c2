package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/regbook/regbook/internal/randomtable"
)

func main() {
	seed := flag.Uint64("seed", 1, "seed of the cases")
	count := flag.Int("cases", 2000, "number of cases")
	one := flag.String("case", "", "run this case alone, seed/number, and print what both sides give")
	only := flag.String("kind", "", "compare cases of this kind only")
	store := flag.Bool("store", false, "keep R's answers in testdata")
	flag.Parse()
	failed, err := run(*seed, *count, *one, *only, *store)
	if err != nil {
		fmt.Fprintln(os.Stderr, "differential:", err)
	}
	if failed || err != nil {
		os.Exit(1)
	}
}

func run(seed uint64, count int, one, only string, store bool) (failed bool, err error) {
	if err := checkPeers(); err != nil {
		return false, err
	}
	var cases []*Case
	if one != "" {
		var number uint64
		if seed, number, err = randomtable.ParseCase(one); err != nil {
			return false, err
		}
		cases = []*Case{generate(seed, number)}
	} else {
		for number := range count {
			if c := generate(seed, uint64(number+1)); only == "" || only == c.Kind {
				cases = append(cases, c)
			}
		}
	}
	dir, err := os.MkdirTemp("", "differential-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	start := time.Now()
	answered := 0
	answers, err := askR(dir, cases, runtime.GOMAXPROCS(0), func() {
		answered++
		fmt.Fprintf(os.Stderr, "\r%d of %d cases, %s ", min(answered*batch, len(cases)), len(cases), time.Since(start).Round(time.Second))
	})
	fmt.Fprintln(os.Stderr)
	if err != nil {
		return false, err
	}
	t := newTally()
	for _, c := range cases {
		us, err := ours(c)
		if one != "" {
			if err := printCase(c, us, err, answers[c.ID]); err != nil {
				return false, err
			}
		}
		compare(t, c, us, err, answers[c.ID])
	}
	t.print(os.Stdout)
	fmt.Printf("\n%d cases of seed %d in %s: %d quantities beyond tolerance and not explained\n", len(cases), seed, time.Since(start).Round(time.Second), len(t.unexplained))
	if store {
		err = save(seed, cases, answers, t)
	}
	return len(t.unexplained) > 0, err
}

// printCase prints a case, its data and what both sides give.
func printCase(c *Case, us values, refusal error, r *answer) error {
	description, err := json.Marshal(c)
	if err != nil {
		return err
	}
	fmt.Printf("%s\n\n%s\nrows to predict:\n%s\n", description, c.table.CSV(), c.rows.CSV())
	if r != nil && r.Refused != "" {
		fmt.Println("R refuses:", r.Refused)
	}
	if r != nil {
		for _, w := range r.Warnings {
			fmt.Println("R warns:", oneLine(w))
		}
	}
	if refusal != nil {
		fmt.Println("we refuse:", refusal)
		return nil
	}
	for _, q := range quantities {
		if our, ok := us[q.name]; ok {
			fmt.Printf("%s\n  ours %s\n  R    %s\n", q.name, our, r.Values[q.name])
		}
	}
	fmt.Println()
	return nil
}

func (v value) String() string {
	switch {
	case v.err != nil:
		return "refused: " + oneLine(v.err.Error())
	case v.texts != nil:
		return fmt.Sprintf("%q", v.texts)
	}
	return fmt.Sprintf("%.12g", v.numbers)
}

func (v vector) String() string {
	switch {
	case v.Error != "":
		return "refused: " + oneLine(v.Error)
	case v.Texts != nil:
		return fmt.Sprintf("%q", v.Texts)
	}
	return fmt.Sprintf("%.12g", v.Numbers)
}
