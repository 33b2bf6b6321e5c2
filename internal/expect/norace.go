//go:build !race

package expect

// RaceDetector tells whether tests run with it.
const RaceDetector = false
