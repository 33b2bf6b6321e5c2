// Package machine names the machine that something was measured on.
package machine

import (
	"os"
	"runtime"
	"strings"
)

// Processor is the name of the processor, as far as Linux tells it, or else its architecture.
func Processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(info)) {
		if key, name, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(name)
		}
	}
	return runtime.GOARCH
}
