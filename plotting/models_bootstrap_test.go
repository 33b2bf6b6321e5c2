package plotting

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
)

// bootOf is the bootstrap of a statistic of fifty uniform numbers.
func bootOf(t *testing.T, statistic assess.Statistic) *assess.Boot {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	y := make([]float64, 50)
	for i := range y {
		y[i] = rnd.Float64()
	}
	d := get(mlreg.NewDesign(nil, y))(t)
	boot := get(assess.Bootstrap(d, statistic, rand.NewPCG(3, 4), &assess.BootstrapSettings{Names: []string{"t"}}))(t)
	return boot
}

// The limits that the bootstrap has are drawn, and the failure of a maximum is said.
func TestBootstrapPlot(t *testing.T) {
	for name, statistic := range map[string]assess.Statistic{"mean": assess.MeanStatistic, "maximum": assess.MaxStatistic} {
		boot := bootOf(t, statistic)
		f := get(BootstrapPlot(boot, "t", &BootstrapPlotSettings{Title: "The " + name}))(t)
		if warned := strings.Contains(f.Note, "order statistics"); warned != (name == "maximum") {
			t.Errorf("%s: %q", name, f.Note)
		}
		checkImage(t, "bootstrap_"+name, f)
	}
	boot := bootOf(t, assess.MeanStatistic)
	for what, c := range map[string]struct {
		boot *assess.Boot
		term string
		set  *BootstrapPlotSettings
		want error
	}{
		"nothing": {nil, "t", nil, mlreg.ErrNoData},
		"name":    {boot, "x", nil, mlreg.ErrShape},
		"level":   {boot, "t", &BootstrapPlotSettings{Level: 2}, mlreg.ErrSetting},
	} {
		if _, err := BootstrapPlot(c.boot, c.term, c.set); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
