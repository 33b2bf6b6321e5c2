package frames

import (
	"bytes"
	"encoding/gob"
	"slices"

	"github.com/regbook/regbook/mlreg"
)

// termsFormat names the encoding of Terms in a mlreg.Coding, and its version.
const termsFormat = "frames.DesignLike 1"

// coding returns the coding of the columns: their terms, what each has learnt, and
// the Terms as the recipe.
func (t *Terms) coding() (*mlreg.Coding, error) {
	recipe, err := t.recipe()
	if err != nil {
		return nil, err
	}
	learnt := make([]string, len(t.Variables))
	for v, variable := range t.Variables {
		learnt[v] = variable.fingerprint()
	}
	columns := make([]mlreg.CodedColumn, len(t.Columns))
	for j, name := range t.Columns {
		columns[j].Name = name
		for _, v := range t.Terms[t.Assign[j]].Variables {
			columns[j].Fingerprint += learnt[v]
		}
	}
	return mlreg.NewCoding(columns, t.groups(), termsFormat, recipe), nil
}

// recipe returns the Terms in the format termsFormat.
func (t *Terms) recipe() ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(t)
	return b.Bytes(), err
}

// fingerprint identifies the constants that the variable has learnt; "" if none.
func (v Variable) fingerprint() string {
	if v.Since == "" {
		return v.learnt()
	}
	return mlreg.Fingerprint(v.Since, v.learnt())
}

// learnt identifies the constants that the variable has learnt; "" if none. The
// order of the levels after the reference level does not matter to treatment
// contrasts. The column of a word depends on no other word.
func (v Variable) learnt() string {
	switch {
	case v.Levels != nil && v.Contrasts != TreatmentContrasts:
		return mlreg.Fingerprint(v.Contrasts.String(), v.Levels)
	case v.Levels != nil:
		rest := slices.Clone(v.Levels[1:])
		slices.Sort(rest)
		return mlreg.Fingerprint(v.Levels[0], rest)
	case v.Basis != nil:
		return mlreg.Fingerprint(v.Basis)
	}
	return ""
}

// termsOf returns the fitted formula that a design was made from, or ErrNoRecipe.
func termsOf(d *mlreg.Design) (*Terms, error) {
	if d == nil || d.Coding == nil {
		return nil, errorf(ErrNoRecipe, "the training design was not made from a formula; make it with frames.Design")
	}
	return termsOfCoding(d.Coding)
}

// termsOfCoding returns the fitted formula in a coding, or ErrNoRecipe.
func termsOfCoding(c *mlreg.Coding) (*Terms, error) {
	switch format, recipe := c.Recipe(); format {
	case termsFormat:
		t := &Terms{}
		return t, gob.NewDecoder(bytes.NewReader(recipe)).Decode(t)
	case "":
		return nil, errorf(ErrNoRecipe, "the training design was computed from a design made from a formula; code the rows like that design, then apply the same computation")
	default:
		return nil, errorf(ErrNoRecipe, "the training design was not made from a formula; code new rows with %s", format)
	}
}

// only returns the terms that some of the columns belong to.
func (t *Terms) only(columns []string) *Terms {
	part := *t
	part.Variables, part.Terms, part.Columns, part.Assign = nil, nil, nil, nil
	number := make(map[int]int) // of the variables that are left
	for k, term := range t.Terms {
		if !slices.ContainsFunc(columns, func(column string) bool {
			j := slices.Index(t.Columns, column)
			return j >= 0 && t.Assign[j] == k
		}) {
			continue
		}
		term.Variables = slices.Clone(term.Variables)
		for i, v := range term.Variables {
			if _, ok := number[v]; !ok {
				number[v] = len(part.Variables)
				part.Variables = append(part.Variables, t.Variables[v])
			}
			term.Variables[i] = number[v]
		}
		for j, of := range t.Assign {
			if of == k {
				part.Columns, part.Assign = append(part.Columns, t.Columns[j]), append(part.Assign, len(part.Terms))
			}
		}
		part.Terms = append(part.Terms, term)
	}
	return &part
}
