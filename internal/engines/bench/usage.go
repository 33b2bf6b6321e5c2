//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/regbook/regbook/internal/try"
)

// used returns the time that this process has had of processors.
func used() time.Duration {
	var u syscall.Rusage
	try.Check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// statusMB returns a size of a process in MB, 0 if it is not known.
func statusMB(pid, name string) float64 {
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(status), "\n") {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kb, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			if err == nil {
				return kb / 1024
			}
		}
	}
	return 0
}

// peak returns the peak resident memory of this process in MB.
func peak() float64 { return statusMB("self", "VmHWM") }

// usage is what processes have used of processors, and the memory that is their own.
type usage struct{ seconds, mb float64 }

// usageOf adds up the usage of processes, their children, and those that these have waited
// for.
func usageOf(pids []int) usage {
	var u usage
	if len(pids) == 0 {
		return u
	}
	found, _ := filepath.Glob("/proc/[0-9]*/stat") // fails for a bad pattern only
	for _, path := range found {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		after := strings.LastIndexByte(string(text), ')') // of the name
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		fields := strings.Fields(string(text[after+1:]))
		if err != nil || len(fields) < 15 {
			continue
		}
		parent, err := strconv.Atoi(fields[1])
		if err != nil || !slices.Contains(pids, pid) && !slices.Contains(pids, parent) {
			continue
		}
		for _, ticks := range fields[11:15] { // user, system, and those of children
			if x, err := strconv.ParseFloat(ticks, 64); err == nil {
				u.seconds += x / 100
			}
		}
		u.mb += statusMB(strconv.Itoa(pid), "RssAnon")
	}
	return u
}
