package frames

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/internal/limit"
)

// JoinKind says which rows a join keeps.
type JoinKind int

const (
	// InnerJoin keeps the rows of both frames whose keys match.
	InnerJoin JoinKind = iota
	// LeftJoin keeps all rows of the left frame; where none on the right matches,
	// the columns of the right frame are missing.
	LeftJoin
	// AntiJoin keeps the rows of the left frame that match none on the right, with
	// the columns of the left frame only.
	AntiJoin
	// SemiJoin keeps the rows of the left frame that match some row on the right, each
	// once, with the columns of the left frame only.
	SemiJoin
	// FullJoin is LeftJoin with the rows of the right frame that match none on the left
	// below; the columns of the left frame but the keys are missing there.
	FullJoin
)

// String returns inner, left, anti, semi or full.
func (k JoinKind) String() string {
	if k < InnerJoin || k > FullJoin {
		return fmt.Sprintf("JoinKind(%d)", int(k))
	}
	return [...]string{"inner", "left", "anti", "semi", "full"}[k]
}

// Joined is the result of Join, with counts of what did and did not match.
type Joined struct {
	Frame dataframe.DataFrame
	Kind  JoinKind
	By    []string // the columns compared: id, or id = key where their names differ

	LeftRows, RightRows             int // of the frames joined
	UnmatchedLeft, UnmatchedRight   int // rows whose keys the other frame does not have
	DuplicatedLeft, DuplicatedRight int // distinct keys that several rows of the frame have
	DuplicatedBoth                  int // distinct keys that several rows of both have
	MissingLeft, MissingRight       int // rows in which a key is missing; they match each other, as in R
}

// Join puts the rows of two frames side by side whose keys are equal, R's merge.
// The keys are the columns named in by, "id", or "id = key" if the right frame
// calls it key; without by, they are all columns that both frames have.
//
//	j, err := frames.Join(visits, patients, frames.LeftJoin, "patient = id")
//	fmt.Println(j) // how many rows matched
//	df := j.Frame
//
// Rows are in the order of the left frame; a row that matches several has them in
// the order of the right frame. Columns are those of the left frame, then those
// of the right without its keys; if both have a name, it gets the endings .x and
// .y, as in R. A missing key equals a missing key, as in R. A right join is a left one of the
// frames the other way round.
//
// The error matches ErrNoColumn, ErrSetting if keys have different types (text
// and numbers), or ErrNoRows if an inner join matches nothing; an anti or semi join may
// have no rows. A join of more than 2^28 values that repeats rows is ErrTooLarge.
func Join(left, right dataframe.DataFrame, kind JoinKind, by ...string) (*Joined, error) {
	if kind < InnerJoin || kind > FullJoin {
		return nil, errorf(ErrSetting, "%v is not a kind of join", kind)
	}
	l, err := onFrame(left)
	if err != nil {
		return nil, fmt.Errorf("the left frame: %w", err)
	}
	r, err := onFrame(right)
	if err != nil {
		return nil, fmt.Errorf("the right frame: %w", err)
	}
	j := &joining{l: l, r: r}
	if err := j.findKeys(by); err != nil {
		return nil, err
	}
	if err := j.number(); err != nil {
		return nil, err
	}
	out := j.count()
	out.Kind = kind
	if out.Frame, err = j.frame(kind); err != nil {
		return nil, err
	}
	return out, nil
}

// String says how many rows were joined, and what did not match.
func (j *Joined) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v join by %s: %d rows, of %d and %d", j.Kind, format.Line(strings.Join(j.By, ", ")), j.Frame.Nrow(), j.LeftRows, j.RightRows)
	fmt.Fprintf(&b, "\nwithout a match: %d rows on the left, %d on the right", j.UnmatchedLeft, j.UnmatchedRight)
	fmt.Fprintf(&b, "\nkeys of several rows: %d on the left, %d on the right, %d on both", j.DuplicatedLeft, j.DuplicatedRight, j.DuplicatedBoth)
	if j.MissingLeft+j.MissingRight > 0 {
		fmt.Fprintf(&b, "\nrows with a missing key: %d on the left, %d on the right; they match each other", j.MissingLeft, j.MissingRight)
	}
	return b.String()
}

// joining is a join in progress.
type joining struct {
	l, r          *evaluator
	lKeys, rKeys  []*column
	left          []int32   // the number of the key of every row on the left
	right         *grouping // the rows on the right by the number of their key
	unmatchedLeft int
}

// findKeys finds the columns to compare.
func (j *joining) findKeys(by []string) error {
	if len(by) == 0 {
		by = slices.DeleteFunc(j.l.names(), func(name string) bool { return !j.r.has(name) })
		if len(by) == 0 {
			return errorf(ErrNoColumn, "the frames have no column in common; name the keys: \"id = key\" (left: %s; right: %s)",
				strings.Join(j.l.names(), ", "), strings.Join(j.r.names(), ", "))
		}
	}
	for _, key := range by {
		a, b := key, key
		if before, after, ok := strings.Cut(key, "="); ok && !j.l.has(key) {
			a, b = strings.Trim(before, " `"), strings.Trim(after, " `")
		}
		x, err := j.l.named(a)
		if err != nil {
			return fmt.Errorf("the left frame: %w", err)
		}
		y, err := j.r.named(b)
		if err != nil {
			return fmt.Errorf("the right frame: %w", err)
		}
		if wordOf(x.typ) != wordOf(y.typ) {
			return errorf(ErrSetting, "key %q is %s on the left, such as %s, and %s on the right, such as %s; make both the same, for example by With or CSVSettings.Types",
				key, wordOf(x.typ), firstValue(x), wordOf(y.typ), firstValue(y))
		}
		j.lKeys, j.rKeys = append(j.lKeys, x), append(j.rKeys, y)
	}
	return nil
}

func firstValue(c *column) string {
	if row := slices.Index(c.missing, false); row >= 0 {
		return fmt.Sprintf("%q", c.at(row))
	}
	return "NA"
}

// number numbers the distinct keys of both frames together.
func (j *joining) number() error {
	n := j.l.height()
	var all numbering
	for k := range j.lKeys {
		key, err := j.numberKey(k)
		if err != nil {
			return err
		}
		if k == 0 {
			all = key
			continue
		}
		codes := all.within(key)
		all, _ = numberCodes(codes, make([]bool, len(codes)))
	}
	j.left = all.ids[:n]
	j.right = &grouping{numbering: numbering{all.ids[n:], all.n}}
	j.right.arrange()
	return nil
}

// numberKey numbers the values of one key; missing values are equal.
func (j *joining) numberKey(k int) (numbering, error) {
	x, y := j.lKeys[k], j.rKeys[k]
	both := &column{typ: x.typ, missing: slices.Concat(x.missing, y.missing)}
	switch {
	case x.typ == series.String:
		both.text = slices.Concat(x.text, y.text)
	case x.typ != y.typ && (x.low != nil || y.low != nil):
		return numbering{}, errorf(ErrSetting, "key %q has integers beyond 2^53 on one side and decimal numbers on the other, which cannot be compared exactly", x.name)
	default:
		if x.typ != y.typ {
			both.typ = series.Float
		}
		both.num = slices.Concat(x.num, y.num)
		if x.low != nil || y.low != nil {
			both.low = slices.Concat(x.allLow(), y.allLow())
		}
	}
	return both.numbered(false).gapsLast(), nil
}

// count counts what matches.
func (j *joining) count() *Joined {
	out := &Joined{LeftRows: j.l.height(), RightRows: j.r.height()}
	for k, x := range j.lKeys {
		by := x.name
		if y := j.rKeys[k]; y.name != x.name {
			by += " = " + y.name
		}
		out.By = append(out.By, by)
	}
	onLeft := make([]int, j.right.n)
	for _, id := range j.left {
		onLeft[id]++
		if len(j.right.rowsOf(int(id))) == 0 {
			out.UnmatchedLeft++
		}
	}
	for id, left := range onLeft {
		right := len(j.right.rowsOf(id))
		out.DuplicatedLeft += int(indicator(left > 1))
		out.DuplicatedRight += int(indicator(right > 1))
		out.DuplicatedBoth += int(indicator(left > 1 && right > 1))
		if left == 0 {
			out.UnmatchedRight += right
		}
	}
	out.MissingLeft, out.MissingRight = rowsWithGaps(j.lKeys), rowsWithGaps(j.rKeys)
	j.unmatchedLeft = out.UnmatchedLeft
	return out
}

// rowsWithGaps counts the rows in which a column is missing.
func rowsWithGaps(columns []*column) int {
	count := 0
	for i := range columns[0].missing {
		if slices.ContainsFunc(columns, func(c *column) bool { return c.missing[i] }) {
			count++
		}
	}
	return count
}

// frame makes the joined frame.
func (j *joining) frame(kind JoinKind) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	if err := j.checkSize(kind); err != nil {
		return none, err
	}
	var left, right []int
	for i, id := range j.left {
		rows := j.right.rowsOf(int(id))
		switch {
		case kind == AntiJoin || kind == SemiJoin:
			if (len(rows) == 0) == (kind == AntiJoin) {
				left = append(left, i)
			}
			continue
		case len(rows) == 0 && kind != InnerJoin:
			left, right = append(left, i), append(right, -1)
		}
		for _, row := range rows {
			left, right = append(left, i), append(right, int(row))
		}
	}
	switch kind {
	case AntiJoin, SemiJoin:
		return take(j.l.frame().df, left)
	case FullJoin:
		for _, row := range j.unmatchedRight() {
			left, right = append(left, -1), append(right, row)
		}
	}
	if len(left) == 0 {
		return none, errorf(ErrNoRows, "no key of the left frame, such as %s, is one of the right frame, such as %s", firstValue(j.lKeys[0]), firstValue(j.rKeys[0]))
	}
	return j.sideBySide(left, right)
}

// unmatchedRight returns the rows on the right whose keys the left does not have.
func (j *joining) unmatchedRight() []int {
	matched := make([]bool, j.right.n)
	for _, id := range j.left {
		matched[id] = true
	}
	var rows []int
	for id, ok := range matched {
		if !ok {
			for _, row := range j.right.rowsOf(id) {
				rows = append(rows, int(row))
			}
		}
	}
	slices.Sort(rows)
	return rows
}

// checkSize returns an error for a join of more than 2^28 values that repeats rows.
func (j *joining) checkSize(kind JoinKind) error {
	var pairs float64
	for _, id := range j.left {
		pairs += float64(len(j.right.rowsOf(int(id))))
	}
	values := pairs * float64(len(j.l.frame().series)+len(j.r.frame().series)-len(j.rKeys))
	if kind == AntiJoin || kind == SemiJoin || values <= limit.Numbers || pairs <= float64(j.l.height()+j.r.height()) {
		return nil
	}
	return errorf(ErrTooLarge, "the join of %.0f pairs of rows%s", pairs, tooMany(values, "summarise one of the frames by its keys first, or compare more keys"))
}

// sideBySide returns the given rows of both frames; -1 is a row of missing values.
func (j *joining) sideBySide(left, right []int) (dataframe.DataFrame, error) {
	keys := make(map[string]bool, len(j.rKeys))
	for _, key := range j.rKeys {
		keys[key.name] = true
	}
	var all []series.Series
	for _, name := range j.l.names() {
		s, err := j.leftColumn(name, left, right)
		if err != nil {
			return dataframe.DataFrame{}, err
		}
		if s.Name = name; j.r.has(name) && !keys[name] {
			s.Name += ".x"
		}
		all = append(all, s)
	}
	for _, name := range j.r.names() {
		if keys[name] {
			continue
		}
		s := subsetWithGaps(j.r.frame().series[name], right)
		if s.Name = name; j.l.has(name) {
			s.Name += ".y"
		}
		all = append(all, s)
	}
	return joinedFrame(all)
}

// leftColumn returns a column of the left frame in the given rows, and where there is none the key on the right.
func (j *joining) leftColumn(name string, left, right []int) (series.Series, error) {
	s := j.l.frame().series[name]
	k := slices.IndexFunc(j.lKeys, func(key *column) bool { return key.name == name })
	if k < 0 || !slices.Contains(left, -1) {
		return subsetWithGaps(s, left), nil
	}
	both, err := stacked(name, []series.Series{s, j.r.frame().series[j.rKeys[k].name]})
	if err != nil {
		return s, err
	}
	rows := slices.Clone(left)
	for i, row := range rows {
		if row < 0 {
			rows[i] = s.Len() + right[i]
		}
	}
	return both.Subset(rows), nil
}

// joinedFrame returns a frame of columns whose names must differ.
func joinedFrame(all []series.Series) (dataframe.DataFrame, error) {
	seen := make(map[string]bool, len(all))
	for _, s := range all {
		if seen[s.Name] {
			return dataframe.DataFrame{}, errorf(ErrSetting, "two columns of the result would be named %q; rename one first", s.Name)
		}
		seen[s.Name] = true
	}
	df := dataframe.New(all...)
	return df, df.Err
}

// subsetWithGaps returns the values in rows, missing where a row is -1.
func subsetWithGaps(s series.Series, rows []int) series.Series {
	if !slices.Contains(rows, -1) {
		return s.Subset(rows)
	}
	s = s.Copy()
	n := s.Len()
	s.Append(nil)
	at := slices.Clone(rows)
	for i, row := range at {
		if row < 0 {
			at[i] = n
		}
	}
	return s.Subset(at)
}
