package mlreg

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/nesting"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Parts divide rows into parts, for example to train, to choose and to test. RandomParts,
// StratifiedParts, GroupedParts and TimeParts make them.
type Parts struct {
	// Of is the part of every row, counted from 0, and -1 for a row of a gap, which is in
	// none.
	Of []int
	K  int // number of parts
}

// checkShares refuses shares that are not positive or do not sum to 1, and more parts
// than there are rows, or groups of them.
func checkShares(n int, what string, shares []float64) error {
	if len(shares) < 2 || len(shares) > n {
		return fmt.Errorf("%w: %d parts of %d %s; take at least 2, and at most one for each of the %s", ErrSetting, len(shares), n, what, what)
	}
	var sum float64
	for k, s := range shares {
		if !(s > 0) {
			return fmt.Errorf("%w: the share of part %d is %v; it is between 0 and 1", ErrSetting, k, s)
		}
		sum += s
	}
	if !(math.Abs(sum-1) < 1e-9) {
		return fmt.Errorf("%w: the shares sum to %v; they sum to 1", ErrSetting, sum)
	}
	return nil
}

// neediest returns the part that has the fewest rows beside its share of total rows.
func neediest(shares []float64, size []int, total int) int {
	best := 0
	lacks := func(k int) float64 { return shares[k]*float64(total) - float64(size[k]) }
	for k := range shares {
		if lacks(k) > lacks(best)+1e-9 {
			best = k
		}
	}
	return best
}

// deal gives the rows, in their order, to parts, so that every stretch of rows is
// divided in the shares, up to a row.
func deal(rows []int, shares []float64) (*Parts, error) {
	p := &Parts{Of: make([]int, len(rows)), K: len(shares)}
	size := make([]int, len(shares))
	for i, row := range rows {
		k := neediest(shares, size, i+1)
		size[k]++
		p.Of[row] = k
	}
	return valid(p, p.check(size))
}

func (p *Parts) check(size []int) error {
	for k, n := range size {
		if n == 0 {
			return fmt.Errorf("%w: part %d has none of the %d rows; give it a larger share", ErrNoData, k, len(p.Of))
		}
	}
	return nil
}

// RandomParts divides n rows at random into parts of the given shares, which sum to 1:
//
//	parts, err := mlreg.RandomParts(n, rand.NewPCG(1, 2), 0.8, 0.1, 0.1)
//
// The sizes are the shares of n up to a row. The same source gives the same parts.
// Errors: ErrSetting for fewer than two shares, shares that are not positive or do not
// sum to 1, more parts than rows and a nil source; ErrNoData for a part without rows.
func RandomParts(n int, src rand.Source, shares ...float64) (*Parts, error) {
	if err := args.Size(fmt.Sprintf("parts of %d rows", n), float64(n), "divide a part of them"); err != nil {
		return nil, err
	}
	return StratifiedParts(make([]int, max(n, 0)), src, shares...)
}

// StratifiedParts is RandomParts of rows with labels: the rows of every label are divided
// in the shares, up to a row. Labels are the class of every row, or a response with few
// levels.
func StratifiedParts[T cmp.Ordered](labels []T, src rand.Source, shares ...float64) (*Parts, error) {
	if err := checkShares(len(labels), "rows", shares); err != nil {
		return nil, err
	}
	if err := args.Source(src); err != nil {
		return nil, err
	}
	rows := rand.New(src).Perm(len(labels))
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(labels[a], labels[b]) })
	return deal(rows, shares)
}

// GroupedParts is RandomParts that keeps the rows of a group together, such as the
// measurements of one patient. The groups, largest first, go to the part that lacks the
// most rows. There are at most as many parts as groups (ErrSetting).
func GroupedParts[T cmp.Ordered](groups []T, src rand.Source, shares ...float64) (*Parts, error) {
	rows, names := nesting.RowsByGroup(groups)
	if err := checkShares(len(names), "groups", shares); err != nil {
		return nil, err
	}
	if err := args.Source(src); err != nil {
		return nil, err
	}
	shuffleLargestFirst(names, rows, src)
	p, size := &Parts{Of: make([]int, len(groups)), K: len(shares)}, make([]int, len(shares))
	for _, g := range names {
		k := neediest(shares, size, len(groups))
		size[k] += len(rows[g])
		for _, i := range rows[g] {
			p.Of[i] = k
		}
	}
	return valid(p, p.check(size))
}

// shuffleLargestFirst brings sorted groups into a random order, the largest first.
func shuffleLargestFirst[T cmp.Ordered](names []T, rows map[T][]int, src rand.Source) {
	rand.New(src).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	slices.SortStableFunc(names, func(a, b T) int { return len(rows[b]) - len(rows[a]) })
}

// TimeParts divides n rows, which are in the order of time, into blocks of the given
// shares, one after the other: the past trains, what follows is tested. The last gap rows
// of every block but the last are in no part, so that a row is not predicted from its
// neighbors. Errors: those of RandomParts, and ErrSetting for a negative gap.
func TimeParts(n, gap int, shares ...float64) (*Parts, error) {
	if err := checkShares(n, "rows", shares); err != nil {
		return nil, err
	}
	if gap < 0 {
		return nil, fmt.Errorf("%w: a gap of %d rows; it is not negative", ErrSetting, gap)
	}
	if err := args.Size(fmt.Sprintf("parts of %d rows", n), float64(n), "divide a part of them"); err != nil {
		return nil, err
	}
	p, size := &Parts{Of: make([]int, n), K: len(shares)}, make([]int, len(shares))
	start, sum := 0, 0.0
	for k, s := range shares {
		sum += s
		end := int(math.Round(sum * float64(n)))
		last := end - gap
		if k == len(shares)-1 {
			end, last = n, n
		}
		for i := start; i < end; i++ {
			p.Of[i] = -1
			if i < last {
				p.Of[i] = k
				size[k]++
			}
		}
		start = end
	}
	return valid(p, p.check(size))
}

// Len returns the number of parts.
func (p *Parts) Len() int { return p.K }

// Rows returns the rows of part k, in rising order.
func (p *Parts) Rows(k int) []int {
	var rows []int
	for i, part := range p.Of {
		if part == k {
			rows = append(rows, i)
		}
	}
	return rows
}

// Designs returns the rows of d that are in each part:
//
//	of, err := parts.Designs(d)
//	train, validation, test := of[0], of[1], of[2]
//
// They keep the scaling of d. The error is ErrShape if d has another number of rows, or
// that of its Check.
func (p *Parts) Designs(d *Design) ([]*Design, error) {
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	if len(p.Of) != d.NObs() {
		return nil, fmt.Errorf("%w: the parts are of %d rows and the design has %d", ErrShape, len(p.Of), d.NObs())
	}
	if err := d.Check(); err != nil {
		return nil, err
	}
	of := make([]*Design, p.K)
	for k := range of {
		of[k] = d.Rows(p.Rows(k)...)
	}
	return of, nil
}

// Describe returns the number of rows of every part as a table.
func (p *Parts) Describe() *report.Table {
	var names []string
	var size []int
	for k := range p.K {
		names, size = append(names, fmt.Sprint(k)), append(size, len(p.Rows(k)))
	}
	t := tables.Rows("Parts of rows", report.TextColumn("part", names...), report.IntColumn("rows", size...))
	if gap := len(p.Rows(-1)); gap > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d rows in gaps", gap))
	}
	return t
}

// String writes the number of rows of every part as text.
func (p *Parts) String() string { return p.Describe().String() }
