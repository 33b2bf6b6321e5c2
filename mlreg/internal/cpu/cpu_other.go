//go:build !amd64

package cpu

func avx2() bool { return false }

func avx512() bool { return false }
