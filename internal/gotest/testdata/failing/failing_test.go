// Package failing is what the test of gotest runs.
package failing

import "testing"

func TestPasses(t *testing.T) { t.Log("of no interest") }

func TestFails(t *testing.T) {
	t.Run("right", func(t *testing.T) { t.Log("of no interest") })
	t.Run("wrong (1)", func(t *testing.T) { t.Error("1 is not 2") })
}

func TestAlsoFails(t *testing.T) { t.Error("3 is not 4") }
