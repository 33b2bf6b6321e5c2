//go:build !amd64

package cpu

func avx2() bool { return false }
