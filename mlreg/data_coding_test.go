package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// coded gives the columns of a design fingerprints that start with a letter.
func coded(d *Design, letter string) *Design {
	c := *d
	columns := make([]CodedColumn, len(d.Names))
	for j, name := range d.Names {
		columns[j] = CodedColumn{name, letter + name}
	}
	groups := []TermGroup{{Name: "poly(x)", Terms: d.Names[1:3]}}
	c.Coding = NewCoding(columns, groups, "frames.DesignLike 1", []byte(letter))
	return &c
}

// everyRowMethod calls every method of a result that takes rows.
func everyRowMethod(f any, d *Design, each func(method string, err error)) {
	args := map[reflect.Type]any{
		reflect.TypeFor[*Design](): d, reflect.TypeFor[float64](): 0.9, reflect.TypeFor[int](): 2, reflect.TypeFor[HC](): HC0,
		reflect.TypeFor[rand.Source](): rand.NewPCG(1, 2), reflect.TypeFor[[]float64](): []float64{0, 0, 0, 0},
	}
	v := reflect.ValueOf(f)
	for k := range v.NumMethod() {
		m, name := v.Method(k), reflect.TypeOf(f).Elem().Name()+"."+v.Type().Method(k).Name
		var in []reflect.Value
		takesRows := false
		for i := range m.Type().NumIn() {
			arg, ok := args[m.Type().In(i)]
			if !ok {
				takesRows = false
				break
			}
			takesRows = takesRows || m.Type().In(i) == reflect.TypeFor[*Design]()
			in = append(in, reflect.ValueOf(arg))
		}
		if takesRows {
			out := m.Call(in)
			err, _ := out[len(out)-1].Interface().(error)
			each(name, err)
		}
	}
}

// Every method that takes rows refuses those that were coded with other constants,
// also after gob, and takes those that were coded alike or given as a matrix.
func TestFitsRefuseOtherCoding(t *testing.T) {
	d, labels, features := resultData(t)
	d.Weights, labels.Weights, features.Weights = nil, nil, nil
	for i, f := range everyResult(t, coded(d, "a"), coded(labels, "a"), coded(features, "a")) {
		rows := d
		switch f.(type) {
		case *NaiveBayes:
			rows = features
		case *GLM, *BayesGLM, *GLMPath, *SparseGLM, *Logistic, *LogisticPath, *SparseLogistic, *BayesLogistic, *Multinomial, *MultinomialPath, *SparseMultinomial:
			rows = labels
		}
		back := reflect.New(reflect.TypeOf(f).Elem()).Interface()
		if err := gob.NewDecoder(bytes.NewReader(gobBytes(t, f))).Decode(back); err != nil {
			t.Fatal(err)
		}
		for _, f := range []any{f, back} {
			calls := 0
			everyRowMethod(f, coded(rows, "b"), func(method string, err error) {
				calls++
				if !errors.Is(err, ErrCoding) || !strings.Contains(err.Error(), `term "`) || !strings.Contains(err.Error(), "frames.DesignLike") {
					t.Errorf("%s takes rows coded differently: %v", method, err)
				}
			})
			for _, same := range []*Design{rows, coded(rows, "a")} {
				everyRowMethod(f, same, func(method string, err error) {
					if err != nil && !errors.Is(err, ErrImpossible) && method != "GLM.Overdispersion" && // which needs more terms
						method != "GLM.PredictionBand" && method != "BayesGLM.PredictionBand" { // of shares, which need numbers of trials
						t.Errorf("%s: %v", method, err)
					}
				})
			}
			switch f.(type) {
			case *EvidenceSurface, *Enumeration, *ModelSample, *CertifiedModels, *Subsets, *Stepwise: // take none
			default:
				if _, sums := f.(*Moments); !sums && calls == 0 {
					t.Errorf("result %d, %T, has no method that takes rows", i, f)
				}
				if c, ok := f.(interface{ Coding() *Coding }); !ok || c.Coding() == nil {
					t.Errorf("%T does not tell its coding", f)
				}
			}
		}
	}
}

// The coding of the columns left counts after Select, and that of others not;
// sums of rows that were coded differently do not merge.
func TestCodingOfParts(t *testing.T) {
	d, _, _ := resultData(t)
	a, b := coded(d, "a"), coded(d, "b")
	b.Coding.s.Columns[0].Fingerprint = a.Coding.s.Columns[0].Fingerprint
	fit := get(FitOLS(get(a.Select("x3", "x1"))(t), nil))(t)
	_, err := fit.Predict(b)
	wantErr(t, err, ErrCoding, `term "poly(x)"`)
	same := get(FitOLS(get(a.Select("x1"))(t), nil))(t)
	if _, err := same.Predict(b); err != nil {
		t.Error(err)
	}
	for _, change := range []func(*Design) *Design{
		func(d *Design) *Design { return d.Rows(3, 4, 5) },
		func(d *Design) *Design { return get(d.Rescale(nil))(t) },
		func(d *Design) *Design { return get(d.Standardize(nil))(t) },
		func(d *Design) *Design { return get(d.Presence(0))(t) },
	} {
		if _, err := fit.Predict(change(b)); !errors.Is(err, ErrCoding) {
			t.Error(err)
		}
	}
	ma, mb := get(a.Moments())(t), get(b.Moments())(t)
	if _, err := ma.Merge(mb); !errors.Is(err, ErrCoding) {
		t.Error(err)
	}
	if _, err := ma.Subtract(get(b.Rows(1, 2).Moments())(t)); !errors.Is(err, ErrCoding) {
		t.Error(err)
	}
	if err := ma.Add(b); !errors.Is(err, ErrCoding) {
		t.Error(err)
	}
	sums := get(FitOLS(get(ma.Select("x2"))(t), nil))(t)
	if _, err := sums.Predict(b); !errors.Is(err, ErrCoding) {
		t.Error(err)
	}
}

// Bases learned on other rows are told from each other by Fingerprint, to the bit.
func TestFingerprint(t *testing.T) {
	x := []float64{1, 2, 4, 7, 11, 16}
	y := slices.Clone(x)
	y[5] = math.Nextafter(16, 17)
	for name, of := range map[string]func(x []float64) Basis{
		"poly": func(x []float64) Basis { return get(NewPoly(x, 2))(t) },
		"ns":   func(x []float64) Basis { return get(NewNaturalSpline(x, &SplineSettings{DF: 2}))(t) },
		"bs":   func(x []float64) Basis { return get(NewBSpline(x, nil))(t) },
		"rbf":  func(x []float64) Basis { return get(NewRBF(mat.NewDense(6, 1, x), 1))(t) },
	} {
		if a, b := Fingerprint(of(x)), Fingerprint(of(slices.Clone(x))); a != b {
			t.Errorf("%s: %s and %s of the same rows", name, a, b)
		}
		if a, b := Fingerprint(of(x)), Fingerprint(of(y)); a == b {
			t.Errorf("%s: %s of different rows", name, a)
		}
	}
	// of another process
	if got := Fingerprint(&Powers{3}, []string{"a", "b"}, 0.5); got != "53dab65b02f34930c89a2341e875ef7f" {
		t.Error(got)
	}
	if Fingerprint([]string{"ab"}) == Fingerprint([]string{"a", "b"}) || Fingerprint(1) == Fingerprint("1") || Fingerprint(nil) == Fingerprint() {
		t.Error("different constants have one fingerprint")
	}
}

// Rows expanded anew are refused, and those expanded like training are taken;
// a basis that gob does not know expands alike as long as it lives.
func TestExpandAnew(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{1, 2, 4, 7, 11, 16})
	train := get(Expand(get(NewPoly(mat.Col(nil, 0, x), 2))(t), x, []float64{1, 3, 2, 5, 4, 6}))(t)
	fit := get(FitOLS(train, nil))(t)
	anew := get(Expand(get(NewPoly([]float64{1, 2, 4, 7}, 2))(t), x, nil))(t)
	_, err := fit.Predict(anew)
	wantErr(t, err, ErrCoding, `term "poly(x, 2)1"`, "mlreg.ExpandLike")
	if _, err := fit.Predict(get(ExpandLike(train, x, nil))(t)); err != nil {
		t.Error(err)
	}
	type own struct{ Basis }
	mine := get(Expand(own{&Powers{2}}, x, nil))(t)
	if again := get(ExpandLike(mine, x, nil))(t); !mat.Equal(again.X, mine.X) {
		t.Error("a basis of one's own is not expanded alike")
	}
	_, err = ExpandLike(get(NewWords([]string{"a b", "b c", "c a"}, nil))(t).mustExpand(t), x, nil)
	wantErr(t, err, ErrSetting, "Expand did not make")
}

func (w *Words) mustExpand(t *testing.T) *Design { return get(w.Expand([]string{"a", "b"}, nil))(t) }

// spoil overwrites every number and text that can be reached from a value.
func spoil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if m, ok := v.Interface().(mat.RawMatrixer); ok && !v.IsNil() && v.Kind() == reflect.Pointer {
			raw := m.RawMatrix()
			spoil(reflect.ValueOf(raw.Data))
		} else if m, ok := v.Interface().(mat.RawSymmetricer); ok && !v.IsNil() && v.Kind() == reflect.Pointer {
			spoil(reflect.ValueOf(m.RawSymmetric().Data))
		}
		if !v.IsNil() {
			spoil(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				spoil(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			spoil(v.Index(i))
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			v.SetMapIndex(k, reflect.Zero(v.Type().Elem()))
		}
	}
	if !v.CanSet() {
		return
	}
	switch {
	case v.CanFloat():
		v.SetFloat(1234.5)
	case v.CanInt():
		v.SetInt(77)
	case v.Kind() == reflect.String:
		v.SetString("spoilt")
	}
}

// Nothing that can be reached from the data, or from what its methods return, changes
// a result.
func TestResultsShareNothing(t *testing.T) {
	d, labels, features := resultData(t)
	data := []*Design{coded(d, "a"), coded(labels, "a"), coded(features, "a")}
	scaling := data[0].Scaling
	data[0] = get(data[0].Rescale(scaling))(t)
	for i := range data {
		data[i].Classes = []string{"no", "yes"}
		if i == 0 {
			data[i].Classes = nil
		}
	}
	all := everyResult(t, data[0], data[1], data[2])
	before := make([][]byte, len(all))
	for i, f := range all {
		before[i] = gobBytes(t, f)
	}
	spoil(reflect.ValueOf(scaling))
	if data[0].Scaling.Center[0] == scaling.Center[0] {
		t.Error("a design shares the scaling that it was given")
	}
	for _, d := range data {
		spoil(reflect.ValueOf(d.Coding.Groups()))
		_, recipe := d.Coding.Recipe()
		spoil(reflect.ValueOf(recipe))
		spoil(reflect.ValueOf(d))
	}
	for i, f := range all {
		name := reflect.TypeOf(f).Elem().Name()
		if !bytes.Equal(before[i], gobBytes(t, f)) {
			t.Errorf("%s changes with its data", name)
		}
		v := reflect.ValueOf(f)
		for k := range v.NumMethod() {
			m := v.Method(k)
			if m.Type().NumIn() > 0 {
				continue
			}
			for _, out := range m.Call(nil) {
				spoil(out)
			}
			if !bytes.Equal(before[i], gobBytes(t, f)) {
				t.Errorf("%s changes with what %s returned", name, v.Type().Method(k).Name)
				before[i] = gobBytes(t, f)
			}
		}
	}
}
