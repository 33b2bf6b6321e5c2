package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/regbook/regbook/internal/randomtable"
)

func main() {
	seed := flag.Uint64("seed", 1, "seed of the sets")
	count := flag.Uint64("cases", 200, "number of sets")
	one := flag.String("case", "", "run this set alone, seed/number, and print every disagreement")
	kind := flag.String("kind", "", "run estimators whose names start so only")
	store := flag.Bool("store", false, "keep what is open in testdata")
	flag.Parse()
	open, err := run(*seed, *count, *one, *kind, *store)
	if err != nil {
		fmt.Fprintln(os.Stderr, "invariance:", err)
	}
	if open || err != nil {
		os.Exit(1)
	}
}

func run(seed, count uint64, one, kind string, store bool) (open bool, err error) {
	first := uint64(1)
	if one != "" {
		if seed, first, err = randomtable.ParseCase(one); err != nil {
			return false, err
		}
		count = first
	}
	start := time.Now()
	t := newTally()
	work := make(chan uint64)
	var group sync.WaitGroup
	var lock sync.Mutex
	for range runtime.GOMAXPROCS(0) {
		group.Add(1)
		go func() {
			defer group.Done()
			for number := range work {
				s := newSet(seed, number)
				for i := range estimators {
					if e := &estimators[i]; strings.HasPrefix(e.name, kind) {
						outcomes := s.all(e)
						lock.Lock()
						t.add(outcomes)
						lock.Unlock()
					}
				}
				fmt.Fprintf(os.Stderr, "\rset %d of %d, %s ", number, count, time.Since(start).Round(time.Second))
			}
		}()
	}
	for number := first; number <= count; number++ {
		work <- number
	}
	close(work)
	group.Wait()
	fmt.Fprintln(os.Stderr)
	t.print(os.Stdout, one != "")
	fmt.Printf("\n%d sets of seed %d in %s: %d quantities change that must not\n", count-first+1, seed, time.Since(start).Round(time.Second), len(t.open))
	if store {
		err = save(seed, count, t)
	}
	return len(t.open) > 0, err
}
