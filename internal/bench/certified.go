package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/regbook/regbook/internal/bench/ours"
)

// certified is a problem of ours.CertifiedProblems, what we made of it, and what the sampler of BMS did.
type certified struct {
	ours.CertifiedProblem
	ours.Certified
	cpu     float64 // seconds of all processors
	seeds   int
	spread  []float64 // of BMS, by term: the largest less the smallest of the seeds
	sd      []float64
	missing error // why BMS did not run
}

func (c *certified) name() string { return "certified posterior, " + c.Title }

// samplerSeeds is how many seeds BMS has.
const samplerSeeds = 20

// compareCertified works on the problems beyond enumeration.
func (c config) compareCertified(scripts string, progress io.Writer) (all []*certified, err error) {
	for k, p := range ours.CertifiedProblems {
		r := &certified{CertifiedProblem: p}
		if c.only != nil && !c.only.MatchString(r.name()) {
			continue
		}
		share, seeds := 1.0, samplerSeeds
		if c.short {
			share, seeds = 0.001, 2
		}
		fmt.Fprintf(progress, "%s: regbook\n", r.name())
		file := filepath.Join(c.dir, "certified.f64")
		if r.cpu, err = c.certifyOne(k, share, file, &r.Certified); err != nil {
			return nil, err
		}
		if c.alone || !installed("BMS") {
			r.missing = errMissing
		} else if err := r.sample(scripts, file, seeds, progress); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// certifyOne works in a process of its own, and returns the seconds that its processors took.
func (c config) certifyOne(problem int, share float64, file string, to *ours.Certified) (cpu float64, err error) {
	cmd := exec.Command(c.self, "certify-one", strconv.Itoa(problem), fmt.Sprint(share), file)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("certified posterior: %w", err)
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), json.Unmarshal(out, to)
}

// sample has the sampler of BMS work with each seed for as many seconds of a processor as we took of all; seeds run side by side.
func (c *certified) sample(scripts, file string, seeds int, progress io.Writer) error {
	c.seeds = seeds
	p, errs := make([][]float64, seeds), make([]error, seeds)
	room, wait := make(chan bool, runtime.NumCPU()), sync.WaitGroup{}
	for seed := range seeds {
		room <- true
		fmt.Fprintf(progress, "%s: BMS, seed %d\n", c.name(), seed+1)
		wait.Add(1)
		go func() {
			defer wait.Done()
			p[seed], errs[seed] = c.sampleOne(scripts, file, seed+1)
			<-room
		}()
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for j := range c.P {
		low, high, mean, square := math.Inf(1), math.Inf(-1), 0.0, 0.0
		for _, values := range p {
			low, high = math.Min(low, values[j]), math.Max(high, values[j])
			mean += values[j] / float64(seeds)
		}
		for _, values := range p {
			square += (values[j] - mean) * (values[j] - mean) / float64(seeds-1)
		}
		c.spread, c.sd = append(c.spread, high-low), append(c.sd, math.Sqrt(square))
	}
	return nil
}

// sampleOne returns the probabilities that the sampler gives with a seed.
func (c *certified) sampleOne(scripts, file string, seed int) ([]float64, error) {
	answer := filepath.Join(scripts, fmt.Sprintf("answer-%d.f64", seed))
	defer os.Remove(answer)
	_, p, err := start(command(scripts, "BMS", []string{"sampled", strconv.Itoa(c.N), strconv.Itoa(c.P), file, answer, "1", fmt.Sprint(c.cpu), strconv.Itoa(seed)}), answer, 0)
	if err == nil && len(p) != c.P {
		err = fmt.Errorf("BMS gave %d probabilities of %d terms", len(p), c.P)
	}
	return p, err
}

// failures are the missed targets, unless the budget was too small to tell.
func (c *certified) failures(short bool) (failed []error) {
	if short {
		return nil
	}
	if !(c.Widest <= c.Width) {
		failed = append(failed, fmt.Errorf("%s: the widest interval has the width %.4f, target %g", c.name(), c.Widest, c.Width))
	}
	if c.Took > c.Seconds {
		failed = append(failed, fmt.Errorf("%s: %.0f s, target %g", c.name(), c.Took, c.Seconds))
	}
	return failed
}

// certifiedTable writes the table of the problems beyond enumeration.
func certifiedTable(all []*certified, short bool) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## Posteriors beyond enumeration\n\nThe widest interval of an inclusion probability, all of which hold together with probability 1 - 1e-9, " +
		"beside the sampler of BMS, each seed of which has as many seconds of a processor as our intervals took of all: the largest standard deviation of a term's probability over the seeds, and the largest range, of which nothing is promised.\n\n" +
		"| posterior | seconds | target | of processors | accepted | widest | target | seeds of BMS | sd | range |\n|--|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, c := range all {
		sampled := fmt.Sprintf("%v | | ", c.missing)
		if c.missing == nil {
			sampled = fmt.Sprintf("%d | %.4f | %.4f", c.seeds, largest(c.sd), largest(c.spread))
		}
		fmt.Fprintf(&b, "| %s | %.1f | <= %g: %s | %.1f | %.2g | %.5f | <= %g: %s | %s |\n", c.Title,
			c.Took, c.Seconds, verdict(c.Took <= c.Seconds, short),
			c.cpu, c.Acceptance, c.Widest, c.Width, verdict(c.Widest <= c.Width, short), sampled)
	}
	return b.String()
}

func largest(values []float64) (most float64) {
	for _, v := range values {
		most = math.Max(most, v)
	}
	return most
}

// certifiedFailures are those of all problems.
func certifiedFailures(all []*certified, short bool) error {
	var failed []error
	for _, c := range all {
		failed = append(failed, c.failures(short)...)
	}
	return errors.Join(failed...)
}
