package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

const ours = "github.com/regbook/regbook/"

// pool holds values by type: what the seeds made, and what calls have returned.
type pool struct {
	r      *rand.Rand
	values map[reflect.Type][]reflect.Value
	kept   map[reflect.Type]int // of values, those of the seeds
	types  []reflect.Type       // of values, in the order in which they came
	of     map[reflect.Type][]reflect.Type
	seeded bool
	moving bool       // every text moves a terminal
	own    sync.Mutex // functions of the driver are called at the same time
}

// exportedTypes and exportedValues are what the registry lists.
var (
	exportedTypes  []reflect.Type
	exportedValues []any
)

//lint:ignore U1000 the generated file calls it
func exportedType(t reflect.Type) { exportedTypes = append(exportedTypes, t) }

//lint:ignore U1000 the generated file calls it
func exportedValue(v any) { exportedValues = append(exportedValues, v) }

func newPool(moving bool) *pool {
	return &pool{
		moving: moving,
		r:      rand.New(rand.NewPCG(1, 1)), values: map[reflect.Type][]reflect.Value{}, kept: map[reflect.Type]int{},
		of: map[reflect.Type][]reflect.Type{},
	}
}

// next has the values that follow drawn from another source.
func (p *pool) next(r *rand.Rand) { p.r = rand.New(rand.NewPCG(r.Uint64(), r.Uint64())) }

func (p *pool) chance(share float64) bool { return p.r.Float64() < share }

func pick[T any](p *pool, of []T) T { return of[p.r.IntN(len(of))] }

// most is the number of values of a type that are kept besides those of the seeds.
const most = 6

// add keeps a value.
func (p *pool) add(v reflect.Value) {
	for v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return
	}
	t := v.Type()
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func:
		if v.IsNil() {
			return
		}
	case reflect.Struct:
		if t.Size() == 0 && t.NumMethod() == 0 {
			return
		}
	default:
		if t.NumMethod() == 0 {
			return
		}
	}
	if _, known := p.values[t]; !known {
		p.types = append(p.types, t)
		clear(p.of)
	}
	if !p.seeded || len(p.values[t]) < p.kept[t]+most {
		p.values[t] = append(p.values[t], v)
		if !p.seeded {
			p.kept[t]++
		}
		return
	}
	p.values[t][p.kept[t]+p.r.IntN(most)] = v
}

// keep keeps what a call has returned, and the elements of a short slice.
func (p *pool) keep(out []reflect.Value) {
	for _, v := range out {
		if err, ok := v.Interface().(error); ok && err != nil {
			continue
		}
		if v.Kind() == reflect.Slice && v.Len() > 10_000 {
			continue
		}
		p.add(v)
		if v.Kind() == reflect.Slice && v.Len() > 0 && isOurs(v.Type().Elem()) {
			p.add(v.Index(p.r.IntN(v.Len())))
		}
	}
}

// isOurs tells whether a type is declared in the packages.
func isOurs(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return strings.HasPrefix(t.PkgPath(), ours)
}

// callee is a function or a method of a value.
type callee struct {
	name     string
	value    reflect.Value
	panics   bool
	receiver string
}

// choose draws a function or a method; only, if not empty, is part of its name.
func (p *pool) choose(only string) (callee, bool) {
	for range 1000 {
		c, ok := p.chooseAny()
		if ok && strings.Contains(c.name, only) {
			return c, true
		}
	}
	return callee{}, false
}

func (p *pool) chooseAny() (callee, bool) {
	if p.chance(0.45) {
		f := pick(p, functions)
		return callee{f.name, f.value, f.panics, ""}, true
	}
	t := pick(p, p.types)
	if t.NumMethod() == 0 || !isOurs(t) {
		return callee{}, false
	}
	m := t.Method(p.r.IntN(t.NumMethod()))
	panics, ok := declaredMethod(t, m.Name)
	if !ok {
		return callee{}, false
	}
	v := pick(p, p.values[t])
	return callee{strings.TrimPrefix(t.String(), "*") + "." + m.Name, v.MethodByName(m.Name), panics, p.text(v, 1)}, true
}

// declaredMethod finds a method at its type or at one that is embedded in it.
func declaredMethod(t reflect.Type, name string) (panics, ok bool) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	short, _, _ := strings.Cut(t.String(), "[")
	if panics, ok = declaredMethods[short+"."+name]; ok {
		pkg, _, _ := strings.Cut(short, ".")
		return panics || declaredMethods[pkg+".interface."+name], true
	}
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			if f := t.Field(i); f.Anonymous {
				if panics, ok = declaredMethod(f.Type, name); ok {
					return panics, true
				}
			}
		}
	}
	return false, false
}

// arguments makes those of a call, and a text of them.
func (p *pool) arguments(t reflect.Type, receiver string) (args []reflect.Value, text string) {
	var texts []string
	if receiver != "" {
		texts = append(texts, "receiver "+receiver)
	}
	for i := range t.NumIn() {
		v := p.make(t.In(i), 0)
		args = append(args, v)
		texts = append(texts, p.text(v, 0))
	}
	return args, strings.Join(texts, ", ")
}

var (
	hostileFloats = []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 5e-324, 1e-300, 1e300, 1e155, 1e-155, math.Copysign(0, -1), 1 << 53, math.Nextafter(1, 2)}
	mildFloats    = []float64{0.5, 0.95, 1, 2, 0.1, 20, 0.05, 0.8, 3, 10, 100, -2.5, 0.25}
	hostileInts   = []int64{-1, -2, math.MinInt64, math.MaxInt64, 1 << 40, 1 << 31, 1 << 62, 257}
	mildInts      = []int64{0, 1, 2, 3, 4, 5, 6, 8, 10, 19, 20, 24}
	names         = []string{"y", "x1", "x2", "x3", "g", "class", "when", "w", "lcavol", "lpsa", "svi", "age", "x1:x2", "(Intercept)", "a", "b", "", "lambda", "term"}
	formulas      = []string{"y ~ x1 + x2", "y ~ x1*g", "class ~ x1", "y ~ .", "y ~ poly(x1, 3) + g", "~ x1", "y ~ bs(x2, 5)", "log(y) ~ x1", "y ~ 1", "x1 > 0", "x1 + x2", "g == 'a'", "mean(x1)", "y ~ x1:x2:x3 - 1"}
	hostileTexts  = []string{"\x1b[31m\x07\r", "\xff\xfe", "y ~ ((((((((((x1", "y ~ x1^999999999", "y ~ x1 + + ", strings.Repeat("n", 200_000), "\u202egnp.exe", "<script>alert(1)</script>", "y ~ " + strings.Repeat("x1*", 300) + "x1", "NaN", "1e999", "x1\x00x2", strings.Repeat("(", 5000), "`", "y ~ poly(x1, 100000)", "%s%n", "-1"}
	colors        = []color.Color{color.Black, color.Transparent, color.NRGBA{R: 255, A: 3}}
)

var (
	errorType   = reflect.TypeFor[error]()
	sourceType  = reflect.TypeFor[rand.Source]()
	writerType  = reflect.TypeFor[io.Writer]()
	readerType  = reflect.TypeFor[io.Reader]()
	contextType = reflect.TypeFor[context.Context]()
	colorType   = reflect.TypeFor[color.Color]()
	timeType    = reflect.TypeFor[time.Time]()
)

// make makes a value of a type.
func (p *pool) make(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	if depth > 5 {
		return v
	}
	known := p.values[t]
	switch k := t.Kind(); {
	case t == errorType:
		if p.chance(0.2) {
			v.Set(reflect.ValueOf(errors.New("an error of the attack")))
		}
	case t == timeType:
		v.Set(reflect.ValueOf(time.Unix(pick(p, hostileInts)>>8, 0)))
	case k == reflect.Interface:
		p.implement(v)
	case len(known) > 0 && t.Kind() != reflect.Slice && p.chance(0.85), len(known) > 0 && p.chance(0.3):
		known := pick(p, known)
		if t.Kind() == reflect.Struct && open(t) && p.chance(0.1) || t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct && open(t.Elem()) && p.chance(0.1) {
			return p.changed(known, depth)
		}
		return known
	default:
		p.fill(v, depth)
	}
	return v
}

// fill makes a value of a kind.
func (p *pool) fill(v reflect.Value, depth int) {
	t := v.Type()
	switch k := t.Kind(); {
	case k == reflect.Float64 || k == reflect.Float32:
		v.SetFloat(p.float())
	case k >= reflect.Int && k <= reflect.Int64:
		v.SetInt(p.int(t))
	case k >= reflect.Uint && k <= reflect.Uintptr:
		v.SetUint(uint64(p.int(t)))
	case k == reflect.Bool:
		v.SetBool(p.chance(0.5))
	case k == reflect.String:
		v.SetString(p.string())
	case k == reflect.Slice:
		p.slice(v, depth)
	case k == reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(p.make(t.Elem(), depth+1))
		}
	case k == reflect.Map:
		if !p.chance(0.3) {
			v.Set(reflect.MakeMap(t))
			for range p.r.IntN(4) {
				if key := p.make(t.Key(), depth+1); key.Comparable() {
					v.SetMapIndex(key, p.make(t.Elem(), depth+1))
				}
			}
		}
	case k == reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct && open(t.Elem()) && !p.chance(0.2) {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(p.make(t.Elem(), depth+1))
		}
	case k == reflect.Struct && (open(t) || !isOurs(t)):
		for i := range v.NumField() {
			if v.Field(i).CanSet() && p.chance(0.4) {
				v.Field(i).Set(p.make(t.Field(i).Type, depth+1))
				if t.Field(i).Name == "MaxIterations" { // how long the caller is willing to wait
					v.Field(i).SetInt(min(v.Field(i).Int(), 1000))
				}
			}
		}
	case k == reflect.Func:
		if !p.chance(0.08) {
			v.Set(p.function(t))
		}
	}
}

// userMade are types that functions return and that users make and change, too.
var userMade = map[string]bool{"mlreg.Design": true, "report.Table": true, "plotting.Figure": true}

// results are the types that functions and methods return: of those, only what they have
// made is used.
var results map[reflect.Type]bool

func findResults() {
	results = map[reflect.Type]bool{}
	note := func(f reflect.Type) {
		for i := range f.NumOut() {
			t := f.Out(i)
			for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
				t = t.Elem()
			}
			if !userMade[t.String()] {
				results[t] = true
			}
		}
	}
	for _, f := range functions {
		note(f.value.Type())
	}
	for _, t := range exportedTypes {
		if t.Kind() != reflect.Interface {
			t = reflect.PointerTo(t)
		}
		for i := range t.NumMethod() {
			note(t.Method(i).Type)
		}
	}
}

// open tells whether users make a struct of their own: no function returns it, and it has
// a field to set.
func open(t reflect.Type) bool {
	if isOurs(t) && results[t] {
		return false
	}
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

// changed returns a copy of a struct, or a pointer to one, with another value in a field.
func (p *pool) changed(v reflect.Value, depth int) reflect.Value {
	pointer := v.Kind() == reflect.Pointer
	if pointer {
		v = v.Elem()
	}
	to := reflect.New(v.Type())
	to.Elem().Set(v)
	if n := v.NumField(); n > 0 {
		if f := to.Elem().Field(p.r.IntN(n)); f.CanSet() {
			f.Set(p.make(f.Type(), depth+1))
		}
	}
	if pointer {
		return to
	}
	return to.Elem()
}

func (p *pool) float() float64 {
	switch {
	case p.chance(0.25):
		return pick(p, hostileFloats)
	case p.chance(0.5):
		return pick(p, mildFloats)
	}
	return p.r.NormFloat64()
}

func (p *pool) int(t reflect.Type) int64 {
	if t.NumMethod() > 0 && !p.chance(0.1) { // one of a list of kinds
		return int64(p.r.IntN(5))
	}
	if p.chance(0.2) {
		return pick(p, hostileInts)
	}
	return pick(p, mildInts)
}

// moving returns a name with characters that move a terminal.
func moving(name string) string { return "\x1b[31m" + name + "\u202e\r" }

func (p *pool) string() string {
	switch {
	case p.moving && p.chance(0.7):
		return moving(pick(p, names))
	case p.chance(0.15):
		return pick(p, hostileTexts)
	case p.chance(0.3):
		return pick(p, formulas)
	}
	return pick(p, names)
}

// slice fills a slice: mostly as long as the seeds' designs have rows or terms.
func (p *pool) slice(v reflect.Value, depth int) {
	t := v.Type()
	if p.chance(0.12) {
		return
	}
	n := pick(p, []int{0, 1, 2, 2, 3, 3, 5, 20, 20, 20, 24, 60})
	if depth > 1 {
		n = min(n, 3)
	}
	v.Set(reflect.MakeSlice(t, n, n))
	if t.Elem().Kind() == reflect.Float64 { // mostly numbers that belong together
		how := p.r.IntN(5)
		for i := range n {
			switch how {
			case 0:
				v.Index(i).SetFloat(float64(i))
			case 1:
				v.Index(i).SetFloat(p.r.NormFloat64())
			case 2:
				v.Index(i).SetFloat(p.r.Float64())
			case 3:
				v.Index(i).SetFloat(math.Nextafter(2, float64(i%2*4)))
			default:
				v.Index(i).SetFloat(p.float())
			}
		}
		return
	}
	mild := p.chance(0.7)
	for i := range n {
		if k := t.Elem().Kind(); mild && k >= reflect.Int && k <= reflect.Int64 && !isOurs(t.Elem()) {
			v.Index(i).SetInt(int64(p.r.IntN(max(1, n))))
		} else {
			v.Index(i).Set(p.make(t.Elem(), depth+1))
		}
	}
}

// implement sets an interface to nil, a typed nil pointer or a value that implements it.
func (p *pool) implement(v reflect.Value) {
	t := v.Type()
	if p.chance(0.06) {
		return
	}
	var made any
	switch {
	case t == sourceType:
		made = rand.NewPCG(p.r.Uint64(), 1)
	case t == writerType:
		made = &bytes.Buffer{}
	case t == readerType:
		made = strings.NewReader(pick(p, []string{"x,y\n1,2\n3,4\n", "", "a;b\n1;\n", "\"", "x\n" + strings.Repeat("1\n", 100), pick(p, hostileTexts)}))
	case t == contextType:
		made = context.Background()
	case t == colorType:
		made = pick(p, colors)
	case t.NumMethod() == 0:
		made = pick(p, []any{1, 2.5, "x1", []float64{1, 2}, nil, math.NaN(), struct{}{}, []string{"a"}})
		if p.chance(0.6) && len(p.types) > 0 {
			made = pick(p, p.values[pick(p, p.types)]).Interface()
		}
	default:
		types, ok := p.of[t]
		if !ok {
			for _, u := range p.types {
				if u.Implements(t) {
					types = append(types, u)
				}
			}
			p.of[t] = types
		}
		if len(types) == 0 {
			return
		}
		u := pick(p, types)
		if u.Kind() == reflect.Pointer && p.chance(0.05) {
			v.Set(reflect.Zero(u))
			return
		}
		v.Set(pick(p, p.values[u]))
		return
	}
	if made != nil {
		v.Set(reflect.ValueOf(made))
	}
}

// function returns one of a type that answers with values of the pool. It is called from
// several goroutines.
func (p *pool) function(t reflect.Type) reflect.Value {
	fails := p.chance(0.15)
	panics := p.chance(0.03)
	var answers [][]reflect.Value
	for range 4 {
		var out []reflect.Value
		for i := range t.NumOut() {
			v := p.make(t.Out(i), 2)
			if t.Out(i) == errorType && !fails {
				v = reflect.Zero(errorType)
			}
			out = append(out, v)
		}
		answers = append(answers, out)
	}
	calls := 0
	return reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value {
		p.own.Lock()
		defer p.own.Unlock()
		calls++
		if panics {
			panic(attackPanic)
		}
		return slices.Clone(answers[calls%len(answers)])
	})
}

// text shows a value in short.
func (p *pool) text(v reflect.Value, depth int) string {
	if !v.IsValid() {
		return "nil"
	}
	t := v.Type()
	short := strings.TrimPrefix(t.String(), "*")
	switch v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		if t.PkgPath() != "" {
			return fmt.Sprintf("%s(%v)", t, reflect.Indirect(v))
		}
		return fmt.Sprint(v)
	case reflect.String:
		if v.Len() > 60 {
			return fmt.Sprintf("%q... (%d bytes)", v.String()[:60], v.Len())
		}
		return fmt.Sprintf("%q", v.String())
	case reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return p.text(v.Elem(), depth)
	case reflect.Pointer:
		if v.IsNil() {
			return "(" + t.String() + ")(nil)"
		}
		if v.Elem().Kind() == reflect.Struct && depth < 2 {
			return "&" + p.text(v.Elem(), depth+1)
		}
		return "&" + short
	case reflect.Struct:
		var fields []string
		for i := range v.NumField() {
			if f := v.Field(i); t.Field(i).IsExported() && !f.IsZero() && depth < 3 {
				fields = append(fields, t.Field(i).Name+": "+p.text(f, depth+1))
			}
		}
		return short + "{" + strings.Join(fields, ", ") + "}"
	case reflect.Slice:
		if v.IsNil() {
			return "nil"
		}
		var some []string
		for i := range min(v.Len(), 4) {
			if depth < 3 {
				some = append(some, p.text(v.Index(i), depth+2))
			}
		}
		return fmt.Sprintf("%s of %d{%s}", t, v.Len(), strings.Join(some, " "))
	case reflect.Func:
		if v.IsNil() {
			return "func(nil)"
		}
		return "func " + runtime.FuncForPC(v.Pointer()).Name()
	}
	return t.String()
}
