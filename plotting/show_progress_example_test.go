package plotting_test

import (
	"errors"
	"log"
	"os"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// A Progress goes into the settings of what takes long. What an interrupted
// computation returns is shown as well.
func ExampleProgress() {
	defer plotting.SetSink(plotting.SetSink(plotting.TextSink{W: os.Stdout}))
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	settings := &mlreg.EnumerateSettings{Progress: plotting.Progress("models")}
	models, err := mlreg.EnumerateModels(d, mlreg.BICScore{}, settings)
	if err != nil && !errors.Is(err, plotting.ErrInterrupted) {
		log.Fatal(err)
	}
	plotting.Show(models.MedianModel().Terms)
	// Output:
	// models: all 256 done
	// lcavol
	// lweight
	// svi
}
