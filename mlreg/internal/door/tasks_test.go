package door

import (
	"errors"
	"strings"
	"testing"
)

// The error is that of the first task that fails, whichever ends first.
func TestEachHasTheFirstError(t *testing.T) {
	for repeat := range 20000 {
		_, _, err := Each("fold", 4, nil, func(k int) (int, error) { return 0, errors.New("none") })
		if err == nil || !strings.HasPrefix(err.Error(), "fold 0: ") {
			t.Fatalf("repeat %d: %v", repeat, err)
		}
	}
}
