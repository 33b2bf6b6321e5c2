//go:build !race

package mlreg

const raceDetector = false
