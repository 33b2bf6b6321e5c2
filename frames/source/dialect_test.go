package source

import (
	"database/sql"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/regbook/regbook/frames"
)

// defaults returns the fields of Dialect and what they are if they are not set, by the table in its comment.
func defaults(t *testing.T) (names []string, unset map[string]string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "dialect.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	unset = map[string]string{}
	for _, decl := range file.Decls {
		of, ok := decl.(*ast.GenDecl)
		if !ok || of.Tok != token.TYPE || of.Specs[0].(*ast.TypeSpec).Name.Name != "Dialect" {
			continue
		}
		_, table, _ := strings.Cut(of.Doc.Text(), "Field         if it is not set\n")
		table, _, _ = strings.Cut(table, "\n\n")
		for line := range strings.Lines(table) {
			name, what, _ := strings.Cut(strings.TrimSpace(line), " ")
			names, unset[name] = append(names, name), strings.TrimSpace(what)
		}
	}
	return names, unset
}

// The table in the comment of Dialect has all fields, in their order, and says which are required: to lack one of those, of a
// dialect with hashes, shared transactions and NaN, is an error that names it, before any query.
func TestDialectNeedsItsFields(t *testing.T) {
	names, unset := defaults(t)
	var fields []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Dialect]()) {
		if f.IsExported() {
			fields = append(fields, f.Name)
		}
	}
	if !slices.Equal(names, fields) {
		t.Fatalf("the table has %q, and Dialect %q", names, fields)
	}
	r := &replay{}
	db := sql.OpenDB(r)
	defer db.Close()
	for _, name := range names {
		d := *PostgreSQL
		reflect.ValueOf(&d).Elem().FieldByName(name).SetZero()
		if !strings.HasPrefix(unset[name], "required") {
			if err := checkDatabase(db, &d); err != nil || unset[name] == "" {
				t.Errorf("%s need not be set, %q: %v", name, unset[name], err)
			}
			continue
		}
		_, err := Open(ctx, db, &d, "t")
		want := "needs the field " + name
		if name == "Name" {
			want = "there are PostgreSQL"
		}
		wantError(t, err, frames.ErrSetting, want)
	}
	if len(r.asked) > 0 {
		t.Errorf("asked %q", r.asked)
	}
	few := *PostgreSQL
	few.MaxTargets = leastTargets - 1
	wantError(t, few.check(), frames.ErrSetting, "MaxTargets")
	if want := fmt.Sprintf("required, %d at least", leastTargets); unset["MaxTargets"] != want {
		t.Errorf("MaxTargets is %s, want %s", unset["MaxTargets"], want)
	}
	for _, d := range []*Dialect{PostgreSQL, DuckDB, ClickHouse, SQLite, MariaDB} {
		if err := d.check(); err != nil {
			t.Error(err)
		}
	}
}

// What a dialect writes and gives to the driver where it does not say otherwise.
func TestDefaultsOfDialects(t *testing.T) {
	d, whole := &Dialect{Ln: "log"}, &Dialect{TruthIsWhole: true, NoNaN: true}
	day, at := &TypedColumn{Kind: DateKind}, &TypedColumn{Kind: TimeKind}
	now := time.Unix(1e9, 0)
	moment, err := d.moment(TimeKind, now)
	for _, c := range []struct{ got, want any }{
		{d.logarithm("(x)", "0.0"), "(log(nullif(greatest((x), 0.0), 0.0)))"},
		{d.daysOff(at, "(days)"), "abs((days))"}, {d.daysOff(day, "(days)"), ""},
		{d.parameter(7), "?"}, {d.truth(true), true}, {d.truth(false), false}, {whole.truth(true), int64(1)}, {whole.truth(false), int64(0)},
		{moment, now}, {err, nil}, {whole.notNumber("x"), "(1=0)"}, {PostgreSQL.parameter(7), "$7"},
	} {
		if c.got != c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}

// ExampleDialect sets all fields that are required of a database without hashes and shared transactions.
func TestExampleDialectHasRequiredFields(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "sql_example_test.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	set := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if pair, ok := n.(*ast.KeyValueExpr); ok {
			if name, ok := pair.Key.(*ast.Ident); ok {
				set[name.Name] = true
			}
		}
		return true
	})
	names, unset := defaults(t)
	for _, name := range names {
		if what := unset[name]; strings.HasPrefix(what, "required") && !strings.HasPrefix(what, "required with ") && !set[name] {
			t.Errorf("%s is %s, and not set", name, what)
		}
	}
}

// What a version tells depends on nothing else.
func TestSumsOfVersions(t *testing.T) {
	for version, want := range map[string]bool{"3.42.9": false, "3.43.0": true, "4.0": true, "": false} {
		if got := SQLite.Compensated(version); got != want {
			t.Errorf("sums of SQLite %q are compensated: %v", version, got)
		}
	}
}
