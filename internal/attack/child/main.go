// Command child calls what it has been built with, at random, one call after the other,
// and tells its parent, internal/attack, on file 3 what it does.
package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"unicode"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// fn is a function to call.
type fn struct {
	name   string
	value  reflect.Value
	panics bool // its documentation says when
}

var (
	functions       []fn
	declaredMethods map[string]bool // "mlreg.OLS.Coef": does its documentation say that it panics?
)

//lint:ignore U1000 the generated file calls it
func function(name string, f any, panics bool) {
	functions = append(functions, fn{name, reflect.ValueOf(f), panics})
}

// attackPanic is what the driver's own functions panic with.
const attackPanic = "a function of the attack panics"

func main() {
	number := func(k int) uint64 {
		v, err := strconv.ParseUint(os.Args[k], 10, 64)
		if err != nil {
			panic(err)
		}
		return v
	}
	seed, first, end, memory, only := number(1), number(2), number(3), number(4), os.Args[5]
	limit := syscall.Rlimit{Cur: memory << 20, Max: memory << 20}
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		panic(err)
	}
	debug.SetMemoryLimit(int64(memory) << 20 / 2)
	report := os.NewFile(3, "report")
	p := newPool(os.Args[6] == "true")
	if err := p.seeds(); err != nil {
		fmt.Fprintf(report, "broken\t%q\n", err.Error())
		os.Exit(3)
	}
	for k := first; k < end; k++ {
		r := rand.New(rand.NewPCG(seed, k))
		p.r = r
		c, ok := p.choose(only)
		if !ok {
			continue
		}
		p.next(r) // arguments are made from a source of their own
		args, text := p.arguments(c.value.Type(), c.receiver)
		if _, err := fmt.Fprintf(report, "call\t%d\t%s\t%q\n", k, c.name, text); err != nil {
			os.Exit(4) // the parent is gone
		}
		kind, what := p.call(c, args)
		fmt.Fprintf(report, "done\t%d\t%s\t%s\t%q\n", k, c.name, kind, what)
	}
}

// call makes a call and keeps what it returns; kind is "ok", "error", "documented panic",
// "panic", or "unescaped" for a text or an error that would move a terminal.
func (p *pool) call(c callee, args []reflect.Value) (kind, what string) {
	var out []reflect.Value
	defer func() {
		if v := recover(); v != nil {
			kind, what = panicKind(c, args, v)
		}
	}()
	if c.value.Type().IsVariadic() {
		out = c.value.CallSlice(args)
	} else {
		out = c.value.Call(args)
	}
	kind = "ok"
	for _, v := range out {
		if v.Kind() == reflect.Pointer && v.IsNil() {
			continue
		}
		var said string
		if err, ok := v.Interface().(error); ok && err != nil {
			kind, what = "error", sentinel(err)
			said = err.Error()
		} else if text, ok := v.Interface().(fmt.Stringer); ok && isOurs(v.Type()) && !isSource(v.Type()) {
			said = text.String()
		}
		if at := strings.IndexFunc(said, movesTerminal); at >= 0 {
			return "unescaped", fmt.Sprintf("%q", said[max(0, at-200):min(len(said), at+100)])
		}
	}
	p.keep(out)
	return kind, what
}

// movesTerminal tells whether a character does something to a terminal, in place of being
// shown.
func movesTerminal(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// isSource tells whether the text of a value is source code, which has to read back.
func isSource(t reflect.Type) bool { return t == reflect.TypeFor[*frames.Formula]() }

// panicKind tells a panic that the documentation knows from one that it does not.
func panicKind(c callee, args []reflect.Value, v any) (kind, what string) {
	text, trace := fmt.Sprint(v), debug.Stack()
	var named *mlreg.PanicError
	if err, ok := v.(error); ok && errors.As(err, &named) {
		text, trace = fmt.Sprint(named.Value), named.Stack()
	}
	switch {
	case strings.Contains(text, attackPanic):
		return "own panic", ""
	case c.panics, likeGo(c.value.Type(), args, text):
		return "documented panic", ""
	}
	var stack []string
	for line := range strings.Lines(string(trace)) {
		if strings.Contains(line, ".go:") && !strings.Contains(line, "/src/") && !strings.Contains(line, "/attack/child/") {
			stack = append(stack, line)
		}
	}
	return "panic", text + "\n" + strings.Join(stack[:min(len(stack), 8)], "")
}

// likeGo tells whether a function that returns no error panics as mlreg documents: an
// argument is nil, or an index has no value.
func likeGo(t reflect.Type, args []reflect.Value, text string) bool {
	for i := range t.NumOut() {
		if t.Out(i) == errorType {
			return false
		}
	}
	index, empty := false, false
	for _, v := range args {
		index = index || v.CanInt()
		empty = empty || hasNil(v)
	}
	return strings.Contains(text, "nil pointer dereference") && empty ||
		strings.Contains(text, "out of range [") && (index || t.NumIn() > 0 && t.In(t.NumIn()-1) == reflect.TypeFor[[]int]())
}

// hasNil tells whether a value is nil, or a slice of values of which one is.
func hasNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface:
		return v.IsNil() || hasNil(v.Elem())
	case reflect.Pointer, reflect.Func:
		return v.IsNil()
	case reflect.Slice:
		for i := range min(v.Len(), 100) {
			if hasNil(v.Index(i)) {
				return true
			}
		}
	}
	return false
}

// sentinel names the kind of an error.
func sentinel(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			break
		}
		err = next
	}
	if reflect.TypeOf(err).String() == "*errors.errorString" {
		return err.Error()
	}
	return reflect.TypeOf(err).String()
}
