package cpu

import (
	"os"
	"runtime"
	"strings"
	"testing"
)

// The processor says of itself what Linux says of it.
func TestFeatures(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || !strings.Contains(string(info), "flags") {
		t.Skip("no list of flags here")
	}
	if limit != "" || runtime.GOARCH != "amd64" {
		t.Skip("other kernels")
	}
	has := func(flag string) bool { return strings.Contains(string(info), " "+flag+" ") }
	if want := has("avx2") && has("fma"); AVX2() != want {
		t.Errorf("AVX2 %v, want %v", AVX2(), want)
	}
	if want := has("avx512f") && has("avx2") && has("fma"); AVX512() != want {
		t.Errorf("AVX512 %v, want %v", AVX512(), want)
	}
}

// The limit takes kernels away, and never gives any.
func TestLimit(t *testing.T) {
	defer func(l string) { limit = l }(limit)
	for _, c := range []struct {
		limit        string
		avx2, avx512 bool
	}{{"", avx2(), avx512()}, {"avx2", avx2(), false}, {"portable", false, false}} {
		limit = c.limit
		if AVX2() != c.avx2 || AVX512() != c.avx512 {
			t.Errorf("%s=%s: AVX2 %v, AVX512 %v", Limit, c.limit, AVX2(), AVX512())
		}
	}
}
