package main

import (
	"context"
	"go/ast"
	"reflect"
	"strings"
	"sync"
	"testing"
)

var readOnce = sync.OnceValues(func() (references, error) { return readReferences("../..") })

func readDocs(t *testing.T) references {
	t.Helper()
	docs, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

func TestReferenceLinks(t *testing.T) {
	docs := readDocs(t)
	for _, test := range []struct{ pkg, anchor, synopsis string }{
		{"mlreg", "OLS", "OLS is an ordinary"},
		{"mlreg", "OLS.Coef", "Coef returns"}, // of an embedded type
		{"mlreg", "ErrorOnAliased", "ErrorOnAliased returns"},
		{"datasets", "Prostate", "Prostate "},
	} {
		if got := docs[test.pkg].synopses[test.anchor]; !strings.HasPrefix(got, test.synopsis) {
			t.Errorf("%s.%s: %q, want %q...", test.pkg, test.anchor, got, test.synopsis)
		}
	}
	for _, test := range []struct{ in, want string }{
		{"FitOLS calls FitRidge.", `<p>FitOLS calls <a href="mlreg.html#FitRidge">FitRidge</a>.`},
		{"See OLS.Robust, or ols.ConfInt.", `<p>See <a href="mlreg.html#OLS.Robust">OLS.Robust</a>, or ols.ConfInt.`},
		{"A Design of Data:\n  - the Design", "<p>A Design of Data:\n<ul>\n<li>the <a href=\"mlreg.html#Design\">Design</a>"},
		{"as frames.Design does", `<p>as <a href="frames.html#Design">frames.Design</a> does`},
		{"OLSSettings.Sigma2 is", `<p><a href="mlreg.html#OLSSettings">OLSSettings.Sigma2</a> is`},
		{"x < [OLS.Coef] and NoSuchName", `<p>x &lt; <a href="mlreg.html#OLS.Coef">OLS.Coef</a> and NoSuchName`},
	} {
		if got := string(docs["mlreg"].HTML("FitOLS", test.in)); !strings.HasPrefix(got, test.want) {
			t.Errorf("%q: %s, want %s", test.in, got, test.want)
		}
	}
}

func TestReferenceCode(t *testing.T) {
	docs := readDocs(t)
	find := func(pkg, name string) ast.Decl {
		for _, typ := range docs[pkg].Types {
			if typ.Name == name {
				return typ.Decl
			}
			for _, f := range typ.Funcs {
				if f.Name == name {
					return f.Decl
				}
			}
		}
		t.Fatalf("no %s in %s", name, pkg)
		return nil
	}
	for _, test := range []struct{ pkg, name, want string }{
		{"mlreg", "FitOLS", `func FitOLS(data <a href="mlreg.html#Data">Data</a>, settings *<a href="mlreg.html#OLSSettings">OLSSettings</a>) (*<a href="mlreg.html#OLS">OLS</a>, error)`},
		{"mlreg", "OLSSettings", "type OLSSettings struct {\n\t<span class=\"comment\">// Aliased is the policy for a rank-deficient design.</span>\n\tAliased <a href=\"mlreg.html#AliasedPolicy\">AliasedPolicy</a>\n"},
	} {
		got, err := docs[test.pkg].Code(find(test.pkg, test.name))
		if err != nil || !strings.HasPrefix(string(got), test.want) {
			t.Errorf("%s.%s: %s, %v, want %s", test.pkg, test.name, got, err, test.want)
		}
	}
}

func TestReferenceExample(t *testing.T) {
	docs := readDocs(t)
	for _, name := range packages {
		for _, e := range docs[name].Examples {
			code, err := docs[name].Example(e)
			if err != nil || code == "" || strings.Contains(code, "Output:") || strings.HasPrefix(code, "\t") || strings.HasPrefix(code, "{") {
				t.Errorf("%s, example %q: %q, %v", name, e.Suffix, code, err)
			}
		}
	}
	if len(docs["plotting"].Examples) == 0 {
		t.Error("package plotting has no example")
	}
}

func TestCalls(t *testing.T) {
	nb := &notebook{}
	for _, source := range []string{
		"!*go mod edit -go=1.24\n%noautoget",
		"import (\n\t\"github.com/janpfeifer/must\"\n\t\"github.com/regbook/regbook/frames\"\n\t\"github.com/regbook/regbook/mlreg\"\n)\n\n" +
			"func fit(d *mlreg.Design) *mlreg.OLS { return must.M1(mlreg.FitOLS(d, nil)) }",
		"%%\nfmt.Println(fit(nil).Coef(), frames.NoSuchName)\nvar s mlreg.OLSSettings\ns.Aliased = mlreg.DropAliased",
		"func fit(d *mlreg.Design) error { return mlreg.ErrShape }\n\n%%\nvar f mlreg.Fit = fit(nil)", // again, and with errors
		"%%writefile x\nthis is not Go",
	} {
		nb.Cells = append(nb.Cells, &cell{Type: "code", Source: text(source)})
	}
	got, err := calls(context.Background(), "../..", []*notebook{nb, {}})
	want := []map[string][]string{
		{"mlreg": {"Design", "DropAliased", "ErrShape", "FitOLS", "OLS", "OLS.Coef", "OLSSettings"}},
		{},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}
