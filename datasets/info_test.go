package datasets

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
)

// Every set loads, and its entry names the columns, types and rows it has.
func TestCatalogue(t *testing.T) {
	load := map[string]func() dataframe.DataFrame{
		"prostate": Prostate, "diabetes": Diabetes, "caterpillar": Caterpillar, "spambase": Spambase,
		"exam": Exam, "longley": Longley, "eightschools": EightSchools, "benchmarks": ReplicatedBenchmarks, "projection": Projection, "reviews": Reviews,
		"airquality": AirQuality, "insurance": Insurance, "co2": CO2, "lynx": Lynx, "engel": Engel, "stackloss": StackLoss,
	}
	if len(List()) != len(load) {
		t.Errorf("%d entries for %d sets", len(List()), len(load))
	}
	for _, info := range List() {
		if load[info.Name] == nil {
			t.Errorf("entry %q has no set", info.Name)
			continue
		}
		df := load[info.Name]()
		var names, types []string
		for _, v := range info.Variables {
			names, types = append(names, v.Name), append(types, v.Type)
			if v.Description == "" {
				t.Errorf("%s: %s is not described", info.Name, v.Name)
			}
		}
		if df.Nrow() != info.Rows || !slices.Equal(names, df.Names()) {
			t.Errorf("%s: %d rows of %q, the entry has %d of %q", info.Name, df.Nrow(), df.Names(), info.Rows, names)
		}
		for j, typ := range df.Types() {
			if string(typ) != types[j] {
				t.Errorf("%s: %s is %s, the entry says %s", info.Name, names[j], typ, types[j])
			}
			if _, text, told := strings.Cut(info.Variables[j].Description, "; "); df.Col(names[j]).HasNaN() != (told && strings.HasSuffix(text, "missing")) {
				t.Errorf("%s: of missing values of %s the entry says %q", info.Name, names[j], text)
			}
		}
		if info.Title == "" || info.Source == "" || info.Citation == "" || info.License == "" {
			t.Errorf("%s: the entry is not complete: %+v", info.Name, info)
		}
		about, err := About(strings.ToUpper(info.Name))
		if err != nil || about.Title != info.Title {
			t.Errorf("About(%q): %v, %v", info.Name, about, err)
		}
	}
	if _, err := About("iris"); err == nil || !strings.Contains(err.Error(), `no data set "iris"; there are prostate,`) {
		t.Errorf("About(iris): %v", err)
	}
}
