package cpu

import (
	"os"
	"strings"
	"testing"
)

// The processor says of itself what Linux says of it.
func TestFeatures(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || !strings.Contains(string(info), "flags") {
		t.Skip("no list of flags here")
	}
	has := func(flag string) bool { return strings.Contains(string(info), " "+flag+" ") }
	if want := has("avx2") && has("fma"); AVX2() != want {
		t.Errorf("AVX2 %v, want %v", AVX2(), want)
	}
	if want := has("avx512f") && has("avx2") && has("fma"); AVX512() != want {
		t.Errorf("AVX512 %v, want %v", AVX512(), want)
	}
}
