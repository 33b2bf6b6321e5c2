package frames

import (
	"strings"

	"github.com/go-gota/gota/dataframe"
)

// Sort returns the rows sorted by columns or expressions, the first key first,
// R's df[order(...), ].
//
//	df, err := frames.Sort(df, "cyl", "-mpg", "abs(wt - 3)")
//
// A minus sign before a key sorts from high to low, text too. Numbers are sorted
// by size, text by bytes (as in R's C locale), FALSE before TRUE; missing values
// come last either way, as in R. Rows that are equal in all keys keep their
// order. Errors are those of With; ErrNoColumn has the nearest name.
func Sort(df dataframe.DataFrame, keys ...string) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	e, err := onFrame(df)
	if err != nil {
		return none, err
	}
	if len(keys) == 0 {
		return none, errorf(ErrSetting, "no key to sort by; there are %s", strings.Join(df.Names(), ", "))
	}
	sorting := make([]sortKey, len(keys))
	for k, key := range keys {
		if sorting[k], err = e.sortKey(key); err != nil {
			return none, err
		}
	}
	return take(df, sortedRows(df.Nrow(), sorting))
}

// sortKey returns the key of Sort that a text names.
func (e *evaluator) sortKey(src string) (sortKey, error) {
	key, down := strings.CutPrefix(strings.TrimSpace(src), "-")
	if down {
		for _, name := range e.df.Names() {
			down = down && name != src // a column named "-x"
		}
	}
	if !down {
		key = src
	} else if d, err := parseDefinition(src); err == nil {
		if _, sign := d.n.(*unary); !sign { // -a + b
			key, down = src, false
		}
	}
	c, err := e.columnOrDefinition(key)
	if err != nil {
		return sortKey{}, err
	}
	return sortKey{e.orderCodes(c), c.missing, down}, nil
}
