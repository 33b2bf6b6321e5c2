package source

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// shifting is a file whose blocks are not what its columns say.
type shifting struct {
	now    []table.Field
	blocks []*table.Block
	then   []table.Field // after a pass, unless nil
}

func (r *shifting) Fields() []table.Field { return r.now }

func (r *shifting) Scan(ctx context.Context, _ []string, work func(*table.Block) (any, error), collect func(any) error) (string, error) {
	err := table.InOrder(ctx, func(_ context.Context, emit func(*table.Block) error) error {
		for _, b := range r.blocks {
			if err := emit(b); err != nil {
				return err
			}
		}
		return nil
	}, work, collect)
	if r.then != nil {
		r.now = r.then
	}
	return "", err
}

// A table that is not what its columns say is an error that names the column; one whose
// column was found to be text after the summaries were read is summarised as text.
func TestShiftingTable(t *testing.T) {
	number := func(name string, x ...float64) *table.Column {
		return &table.Column{Field: table.Field{Name: name, Type: series.Float}, Num: x, Missing: make([]bool, len(x))}
	}
	text := func(name string, x ...string) *table.Column {
		return &table.Column{Field: table.Field{Name: name, Type: series.String}, Text: x, Missing: make([]bool, len(x))}
	}
	numbers, texts := []table.Field{{Name: "k", Type: series.Float}, {Name: "x", Type: series.Float}}, []table.Field{{Name: "k", Type: series.String}, {Name: "x", Type: series.Float}}
	first := &table.Block{N: 2, Columns: []*table.Column{number("k", 1, 2), number("x", 3, 4)}}
	asText := &table.Block{N: 2, Columns: []*table.Column{text("k", "1", "b"), number("x", 3, 4)}}
	for what, c := range map[string]struct {
		r    *shifting
		want error
		says string
	}{
		"keys that became text":   {&shifting{now: numbers, blocks: []*table.Block{asText}, then: texts}, nil, ""},
		"keys that are text":      {&shifting{now: numbers, blocks: []*table.Block{first, asText}}, ErrChanged, `column "k" is of string in the rows, and of float`},
		"keys that are numbers":   {&shifting{now: texts, blocks: []*table.Block{asText, first}}, ErrChanged, `column "k" is of float in the rows, and of string`},
		"values that are text":    {&shifting{now: numbers, blocks: []*table.Block{first, {N: 1, Columns: []*table.Column{number("k", 1), text("x", "a")}}}}, ErrChanged, `column "x"`},
		"a column that is gone":   {&shifting{now: numbers, blocks: []*table.Block{first, {N: 2, Columns: first.Columns[:1]}}}, frames.ErrNoColumn, `no column "x"`},
		"a key that is gone":      {&shifting{now: numbers, blocks: []*table.Block{first, {N: 2, Columns: first.Columns[1:]}}}, frames.ErrNoColumn, `no column "k"`},
		"a column that is short":  {&shifting{now: numbers, blocks: []*table.Block{{N: 3, Columns: []*table.Column{number("k", 1, 2, 3), number("x", 3, 4)}}}}, frames.ErrMissing, `column "x" has 2 values in a block of 3 rows`},
		"a key that is long":      {&shifting{now: numbers, blocks: []*table.Block{{N: 2, Columns: []*table.Column{number("k", 1, 2, 3), number("x", 3, 4)}}}}, frames.ErrMissing, `column "k" has 3 values in a block of 2 rows`},
		"a column without values": {&shifting{now: numbers, blocks: []*table.Block{{N: 2, Columns: []*table.Column{first.Columns[0], {Field: numbers[1], Missing: make([]bool, 2)}}}}}, frames.ErrMissing, `column "x" has 0 values`},
	} {
		s := newSource(newFileEngine("file", c.r))
		df, err := s.GroupBy("k").Summarise(ctx, "n()", "most = max(x)", "mean(x)", "keys = n_distinct(k)")
		if !errors.Is(err, c.want) || !strings.Contains(fmt.Sprint(err), c.says) && c.want != nil {
			t.Errorf("%s: %v", what, err)
		}
		if c.want == nil && (err != nil || df.Nrow() != 2 || df.Col("k").Records()[1] != "b" || df.Col("most").Float()[1] != 4) {
			t.Errorf("%s: %v, %v", what, df, err)
		}
	}
}
