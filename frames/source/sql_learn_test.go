package source

import (
	"database/sql/driver"
	"errors"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// The logarithm of negative numbers has no levels; the rows tell where it is not defined.
func TestFactorOfNothing(t *testing.T) {
	rows := [][]driver.Value{{1., -1.}, {2., -2.}, {3., -3.}}
	for _, formula := range []string{"y ~ factor(log(x))", "factor(log(x)) ~ y"} {
		s, _, err := opened(t, PostgreSQL,
			answer{contains: "count(DISTINCT", rows: [][]driver.Value{{int64(0)}}},
			answer{contains: "regbook_some", rows: [][]driver.Value{{int64(3), int64(3), 6., 1., 3., int64(0), int64(0)}}},
			answer{contains: "regbookm", rows: [][]driver.Value{{int64(0), nil, int64(3), "77", int64(0), 0., 2.}}},
			answer{contains: "SELECT CAST('2' AS double precision)", rows: [][]driver.Value{{2.}}},
			answer{contains: "hashfloat8extended", rows: [][]driver.Value{{int64(3), int64(3), "77", int64(0), int64(0)}}},
			answer{contains: "DISTINCT", rows: [][]driver.Value{{nil}}},
			answer{contains: "SELECT ", rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Design(ctx, formula, &DesignSettings{Route: Pushed}); !errors.Is(err, frames.ErrNotFinite) || !strings.Contains(err.Error(), "log(x) is NaN in row 1, where x = -1") {
			t.Errorf("%s: %v", formula, err)
		}
	}
}

// What an engine finds to have no levels is named.
func TestNoLevels(t *testing.T) {
	fields := []table.Field{{Name: "y", Type: "float"}, {Name: "g", Type: "string"}}
	for formula, want := range map[string]string{"y ~ g": "factor g has no level", "g ~ y": "the response g has no class"} {
		l, err := table.Frames.Compile(formula, fields, (*frames.DesignSettings)(nil), table.Limits{Levels: 10, Values: 10})
		if err != nil {
			t.Fatal(err)
		}
		if err := l.SetLevels(l.Needs()[0].Variable, nil, 3); !errors.Is(err, frames.ErrLevel) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", formula, err)
		}
	}
}
