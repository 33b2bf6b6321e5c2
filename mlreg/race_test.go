//go:build race

package mlreg

const raceDetector = true
