package frames

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// valuesOfR are the answers of R in testdata/values.json, written by R 4.2.2 with dplyr, stringr,
// lubridate, data.table and zoo: LC_ALL=C.UTF-8 TZ=UTC Rscript values.R > values.json
type valuesOfR struct {
	Data         map[string][]any
	Rows, Groups []struct {
		Src    string
		Values []string
	}
}

func readValues(t *testing.T) (dataframe.DataFrame, valuesOfR) {
	t.Helper()
	data := get(os.ReadFile("testdata/values.json"))(t)
	var ref valuesOfR
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	var cols []series.Series
	for name, typ := range map[string]series.Type{"s": series.String, "u": series.String, "d": series.String, "x": series.Float, "k": series.Int, "f": series.Bool, "g": series.String, "day": series.String, "t": series.String} {
		cols = append(cols, series.New(ref.Data[name], typ, name))
	}
	return dataframe.New(cols...), ref
}

// Functions of text, choices, of order and of times are R's, in every row and where values are missing.
func TestValuesOfR(t *testing.T) {
	df, ref := readValues(t)
	for _, c := range ref.Rows {
		out, err := With(df, "v = "+c.Src)
		if err != nil {
			t.Error(err)
			continue
		}
		sameValues(t, c.Src, get(copyColumn(out, "v"))(t), c.Values, 1e-14)
	}
	for _, c := range ref.Groups {
		out := get(GroupBy(df, "g").With("v = " + c.Src))(t)
		sameValues(t, c.Src+" by group", get(copyColumn(out, "v"))(t), c.Values, 1e-14)
	}
	if len(ref.Rows) < 80 || len(ref.Groups) < 20 {
		t.Errorf("%d and %d answers of R", len(ref.Rows), len(ref.Groups))
	}
}
