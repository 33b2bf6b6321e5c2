//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// used returns the time that this process has had of processors.
func used() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, err
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}

// peak returns the peak resident memory of this process in MB, 0 if it is not known.
func peak() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	var kb float64
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	_, err = fmt.Sscan(rest, &kb)
	if err != nil {
		return 0
	}
	return kb / 1024
}

// secondsOf adds up what processes, their children, and those that these have waited for have had of processors.
func secondsOf(pids []int) (seconds float64) {
	if len(pids) == 0 {
		return 0
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
				seconds += x / 100
			}
		}
	}
	return seconds
}
