package frames

import (
	"testing"

	"github.com/regbook/regbook/internal/circles"
)

func TestCirclesOfFilesStayInTheirTopic(t *testing.T) {
	for _, pair := range get(circles.Between(".", "data dates", "formula expr"))(t) {
		t.Errorf("%s and %s use each other, directly or by others", pair[0], pair[1])
	}
}
