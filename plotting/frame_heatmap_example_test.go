package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func ExampleHeatMap() {
	d := must.M1(frames.Design(datasets.Projection(), "y ~ x2"))
	h := must.M1(mlreg.HatMatrix(d))
	plotting.Show(plotting.HeatMap(h, &plotting.HeatMapSettings{Labels: plotting.Labels{Title: "The hat matrix"}}))
	// Output:
	// Figure: heat map The hat matrix: 3 x 3 matrix with values from -0.167 to 0.833
}

// ggplot2: geom_tile(aes(hour, weekday, fill = rides)); seaborn: sns.heatmap(df.pivot(...)).
func ExampleHeatMapOf() {
	df := must.M1(frames.Frame(
		frames.Col("hour", []int{0, 12, 23, 0, 12, 23}),
		frames.Col("weekday", []string{"Mon", "Mon", "Mon", "Sun", "Sun", "Sun"}),
		frames.Col("rides", []float64{12, 80, 20, 45, 60, 30}),
	))
	plotting.Show(plotting.HeatMapOf(df, "hour", "weekday", "rides", nil))
	// Output:
	// Figure: heat map rides: 2 x 3 matrix with values from 12 to 80
}
