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
	var sorting []sortKey
	for _, key := range keys {
		some, err := e.sortKeys(key)
		if err != nil {
			return none, err
		}
		sorting = append(sorting, some...)
	}
	return take(df, sortedRows(df.Nrow(), sorting))
}

// sortKeys returns the key of Sort that a text names, or the two of whole numbers beyond 2^53.
func (e *evaluator) sortKeys(src string) ([]sortKey, error) {
	key, down := strings.CutPrefix(strings.TrimSpace(src), "-")
	if down = down && !e.has(src); !down { // a column may be named "-x"
		key = src
	} else if d, err := parseDefinition(src); err == nil {
		if _, sign := d.n.(*unary); !sign { // -a + b
			key, down = src, false
		}
	}
	c, err := e.columnOrDefinition(key)
	if err != nil {
		return nil, err
	}
	var keys []sortKey
	for _, codes := range c.orderCodes() {
		keys = append(keys, sortKey{codes, c.missing, down})
	}
	return keys, nil
}
