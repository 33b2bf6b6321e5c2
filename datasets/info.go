package datasets

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// Info describes a data set and its source.
type Info struct {
	Name      string // as About takes it
	Title     string
	Rows      int
	Source    string // the source of this copy, and the changes made to it
	Citation  string // what to cite
	License   string // license or public-domain status
	Variables []Variable
}

// Variable is an entry of the dictionary of a data set.
type Variable struct {
	Name        string
	Type        string // int, float or string
	Unit        string // "" if it has none
	Description string
}

// About returns the entry of a data set, by the name of its function in upper
// or lower case. The error lists all names.
func About(name string) (*Info, error) {
	all := List()
	k := slices.IndexFunc(all, func(i Info) bool { return strings.EqualFold(i.Name, name) })
	if k < 0 {
		names := make([]string, len(all))
		for i, info := range all {
			names[i] = info.Name
		}
		return nil, fmt.Errorf("datasets: no data set %q; there are %s", name, strings.Join(names, ", "))
	}
	return &all[k], nil
}

// String returns the entry as text, one line per variable.
func (i Info) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n%d rows\n\nSource:   %s\nCite:     %s\nLicense:  %s\n\n", i.Name, i.Title, i.Rows, i.Source, i.Citation, i.License)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, v := range i.Variables {
		unit := v.Unit
		if unit != "" {
			unit = " [" + unit + "]"
		}
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s%s\n", v.Name, v.Type, v.Description, unit); err != nil {
			return err.Error() // a strings.Builder takes every write
		}
	}
	if err := w.Flush(); err != nil {
		return err.Error()
	}
	return b.String()
}
