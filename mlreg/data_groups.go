package mlreg

import (
	"fmt"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// TermGroup names terms that belong together: the columns of a factor or of a
// polynomial.
type TermGroup struct {
	Name  string
	Terms []string
	// Margins name the groups that an interaction contains: a and b of a:b.
	// FitStepwise keeps them in the model with it.
	Margins []string
	// Reference names factors with their reference level, such as tension = "L". The
	// coefficients of the group are effects at that level alone, because an
	// interaction codes the factor by contrasts to it. AnovaTypeIII refuses them.
	Reference []string
}

// inGroups divides terms into the groups that they are of, in their order, with the
// margins that are left; a term of no group, or apart from the others of its group,
// is one of its own.
func inGroups(terms []string, groups []TermGroup) []TermGroup { return divide(terms, groups, false) }

// wholeGroups is inGroups for groups whose columns may lie apart: a group has the place
// of its first.
func wholeGroups(terms []string, groups []TermGroup) []TermGroup { return divide(terms, groups, true) }

func divide(terms []string, groups []TermGroup, apart bool) []TermGroup {
	groupOf := make(map[string]int)
	for k, g := range groups {
		for _, term := range g.Terms {
			groupOf[term] = k
		}
	}
	var out []TermGroup
	begun := make(map[int]int) // where in out a group is
	for _, term := range terms {
		k, grouped := groupOf[term]
		if at, ok := begun[k]; ok && grouped {
			out[at].Terms = append(out[at].Terms, term)
			continue
		}
		if !apart {
			clear(begun)
		}
		g := TermGroup{Name: term}
		if grouped {
			begun[k] = len(out)
			g = groups[k]
		}
		g.Terms = []string{term}
		out = append(out, g)
	}
	for k := range out {
		out[k].Margins = slices.DeleteFunc(slices.Clone(out[k].Margins), func(name string) bool {
			return !slices.ContainsFunc(out, func(g TermGroup) bool { return g.Name == name })
		})
	}
	return out
}

// checkTermGroups refuses groups that share a term, or name one that the data do not have: neither
// now, nor when they were made of a frame.
func (l *header) checkTermGroups(groups []TermGroup) error {
	in := make(map[string]string)
	for _, g := range groups {
		for _, term := range g.Terms {
			if other, twice := in[term]; twice {
				return fmt.Errorf("%w: Groups: term %q is in %q and %q", ErrSetting, term, other, g.Name)
			}
			in[term] = g.Name
			if !slices.Contains(l.Names, term) && l.Coding.fingerprint(term) == "" {
				return fmt.Errorf("%w: Groups: no term %q, of group %q, among %s", ErrSetting, term, g.Name, format.Quoted(l.Names))
			}
		}
	}
	return nil
}

// checkGroups refuses groups that do not hold every term once, in its place.
func checkGroups(groups []TermGroup, terms []string) error {
	var held []string
	for _, g := range groups {
		held = append(held, g.Terms...)
	}
	if !slices.Equal(held, terms) {
		return fmt.Errorf("%w: the groups hold the terms %s; they must hold %s, each once and in this order",
			ErrShape, format.Quoted(held), format.Quoted(terms))
	}
	return nil
}

// Tabulate returns the groups and their columns as a table.
func (TermGroup) Tabulate(g []TermGroup) *report.Table {
	return tables.Rows("Groups of columns",
		tables.Text("group", g, func(g TermGroup) string { return g.Name }),
		tables.Text("columns", g, func(g TermGroup) string { return strings.Join(g.Terms, ", ") }))
}

// String writes the group as text.
func (g TermGroup) String() string { return report.Rows[TermGroup]{g}.String() }

// otherTerms tells of the terms that are no candidates, and of groups that were not
// taken as one.
func otherTerms(always, aliased, split []string) (notes []string) {
	if len(always) > 0 {
		notes = append(notes, "in every model: "+strings.Join(always, ", "))
	}
	if len(aliased) > 0 {
		notes = append(notes, "combinations of other candidates: "+strings.Join(aliased, ", "))
	}
	if len(split) > 0 {
		notes = append(notes, "columns chosen one by one, not as a term (Groups): "+strings.Join(split, ", "))
	}
	return notes
}
