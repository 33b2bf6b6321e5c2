package plotting_test

import (
	"testing"

	"github.com/regbook/regbook/plotting/internal/gallery"
)

func TestMain(m *testing.M) { gallery.Main(m) }
