package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// pathRows is how many lambdas a table of a path shows.
const pathRows = 10

// PathTable returns ten lambdas of a path, from its first to its last, as a table:
// degrees of freedom, the number of slopes that are not zero, their L1 norm and R2
// (or the ratio of deviances). Below it stand the numbers of lambdas and
// observations, and the certificate of the worst lambda. Show displays paths so.
//
// Errors: mlreg.ErrNoData for a path that is nil or has less than two lambdas;
// mlreg.ErrSetting for one that does not know its R2 or degrees of freedom.
func PathTable(path Path) (*Table, error) {
	t, err := pathTable(path)
	if err != nil {
		return nil, fmt.Errorf("plotting: table of a path: %w", err)
	}
	return t, nil
}

func pathTable(path Path) (*Table, error) {
	norm, err := pathAxis(path, ByL1Norm)
	if err != nil {
		return nil, err
	}
	r2, err := pathAxis(path, ByR2)
	if err != nil {
		return nil, err
	}
	dof, err := pathDoF(path)
	if err != nil {
		return nil, err
	}
	lambda, slopes := path.Lambda(), path.Slopes()
	var rows []int
	for i := range pathRows {
		rows = append(rows, int(math.Round(float64(i)*float64(len(lambda)-1)/(pathRows-1))))
	}
	rows = slices.Compact(rows)
	pick := func(v []float64) []float64 { return cells(rows, func(k int) float64 { return v[k] }) }
	columns := []Column{
		{Name: "λ", Cells: cells(rows, func(k int) string { return Number(lambda[k], defaultDigits) }), Align: AlignDecimal},
		fixedColumn("dof", pick(dof), 2),
		IntColumn("nonzero", cells(rows, func(k int) int {
			row := slopes.RawRowView(k)
			return len(row) - zeros(row)
		})...),
		NumberColumn("Σ|b|", pick(norm), defaultDigits),
		fixedColumn("R²", pick(r2), 4),
	}
	if _, ok := path.(interface{ DevianceRatio() []float64 }); ok {
		columns[len(columns)-1].Name = "deviance ratio"
	}
	t, err := NewTable(pathTitle(path), columns...)
	if err != nil {
		return nil, err
	}
	t.Notes = pathFacts(path)
	return t, nil
}

func pathTitle(path Path) string {
	title := "Path"
	switch p := path.(type) {
	case interface{ Share() float64 }:
		title = "Lasso path"
		if p.Share() < 1 {
			title = "Elastic net path (L1 share " + Number(p.Share(), 3) + ")"
		}
		if _, ok := path.(*mlreg.LogisticPath); ok {
			title = "Logistic " + strings.ToLower(title[:1]) + title[1:]
		}
	case *mlreg.RidgePath:
		title = "Ridge path"
	}
	if p, ok := path.(interface{ Response() string }); ok && p.Response() != "" {
		title += " of " + p.Response()
	}
	return title
}

// pathFacts returns the lines under a path.
func pathFacts(path Path) []string {
	lambda := path.Lambda()
	size := fmt.Sprintf("%d lambdas, %s", len(lambda), check.Plural(len(path.Terms()), "term"))
	if p, ok := path.(interface{ NObs() int }); ok {
		size = fmt.Sprintf("n = %d, ", p.NObs()) + size
	}
	lines := []string{size}
	if p, ok := path.(interface{ LambdaMax() float64 }); ok && check.IsFinite(p.LambdaMax()) {
		lines = append(lines, "all penalised slopes are zero from λ = "+Number(p.LambdaMax(), 6)+" on")
	}
	base := "null RSS"
	if _, ok := path.(interface{ NullDeviance() float64 }); ok {
		base = "null deviance/2"
	}
	var worst float64
	if p, ok := path.(interface{ KKT() []float64 }); ok {
		worst = slices.Max(p.KKT())
	}
	if p, ok := path.(interface{ Gap() []float64 }); ok {
		lines = append(lines, "at every λ: "+gapText(slices.Max(p.Gap()), worst, base))
	} else if worst > 0 {
		lines = append(lines, "at every λ: "+gapText(math.NaN(), worst, base))
	}
	if p, ok := path.(interface{ Scaling() *mlreg.Scaling }); ok && p.Scaling() != nil {
		lines = append(lines, "coefficients are in units of the scaled predictors")
	}
	return lines
}

// gapText states a certificate. Both numbers are bounds: their digits are those of
// an iteration or of rounding.
func gapText(gap, kkt float64, base string) string {
	violation := "KKT violated by at most " + powerAbove(math.Max(kkt, 1e-12))
	if math.IsNaN(gap) {
		return violation
	}
	return "duality gap at most " + powerAbove(math.Max(gap, 1e-12)) + " of the " + base + ", " + violation
}

func fixedColumn(name string, values []float64, decimals int) Column {
	return Column{Name: name, Cells: cells(values, func(v float64) string { return format.Decimal(v, decimals) }), Align: AlignDecimal}
}

// penalisedFit is what the tables of penalised fits need.
type penalisedFit interface {
	SlopedFit
	Coef() []float64
	NObs() int
	RSS() float64
	R2() float64
	DoF() float64
	Scaling() *mlreg.Scaling
}

// penalisedTable is how penalised fits are shown: their coefficients, those that
// are zero left out if there are many.
func penalisedTable(fit penalisedFit) *Table {
	const many = 20
	names, coef := fit.Names(), fit.Coef()
	out := 0
	if len(coef) > many {
		var keptNames []string
		var kept []float64
		for i, b := range coef {
			if b != 0 || names[i] == mlreg.InterceptName {
				keptNames, kept = append(keptNames, names[i]), append(kept, b)
			}
		}
		out = len(coef) - len(kept)
		names, coef = keptNames, kept
	}
	t := &Table{Columns: []Column{TextColumn("term", names...), estimates(coef)}}
	size := fmt.Sprintf("n = %d, dof = %s, RSS = %s, R² = %s", fit.NObs(), format.Decimal(fit.DoF(), 2), Number(fit.RSS(), 5), format.Decimal(fit.R2(), 4))
	switch f := fit.(type) {
	case *mlreg.ElasticNet:
		t.Title = fmt.Sprintf("Lasso fit of %s at λ = %s", f.Response(), Number(f.Lambda(), 6))
		if f.L2() > 0 {
			t.Title = fmt.Sprintf("Elastic net fit of %s at λ₁ = %s, λ₂ = %s", f.Response(), Number(f.L1(), 6), Number(f.L2(), 6))
		}
		certificate := "interpolated between two fits: no certificate"
		if !math.IsNaN(f.KKT()) {
			certificate = gapText(f.Gap(), f.KKT(), "null RSS")
		} else {
			size = fmt.Sprintf("n = %d", f.NObs())
		}
		t.Notes = append(t.Notes, size, certificate)
	case *mlreg.Ridge:
		t.Title = fmt.Sprintf("Ridge fit of %s at λ = %s", f.Response(), Number(f.Lambda(), 6))
		t.Notes = append(t.Notes, size+", GCV = "+Number(f.GCV(), 4), f.Method()+", "+gapText(math.NaN(), f.KKT(), ""))
	case *mlreg.PCR:
		t.Title = fmt.Sprintf("Fit of %s on %s", f.Response(), check.Plural(f.Components(), "principal component"))
		t.Notes = append(t.Notes, size)
	}
	if out > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d slopes of zero not shown", out))
	}
	if fit.Scaling() != nil {
		t.Notes = append(t.Notes, "coefficients are in units of the scaled predictors")
	}
	return t
}

// estimates is a column of coefficients in which what is zero has no decimals, as
// something small may have.
func estimates(coef []float64) Column {
	c := NumberColumn("estimate", coef, defaultDigits)
	for i, b := range coef {
		if b == 0 {
			c.Cells[i] = "0"
		}
	}
	return c
}

// shootingTable is how the result of mlreg.ShootingAlgorithm is shown.
func shootingTable(f *mlreg.Shooting) *Table {
	t := &Table{
		Title:   fmt.Sprintf("Lasso of %s at λ = %s by the shooting algorithm", f.Response(), Number(f.Lambda(), 6)),
		Columns: []Column{TextColumn("term", f.Names()...), estimates(f.Coef())},
	}
	if change := f.Change(); len(change) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s, the last changed the slopes by %s in all", check.Plural(f.Sweeps(), "sweep"), Number(change[len(change)-1], 2)))
	}
	objective := f.Objective()
	t.Notes = append(t.Notes, "RSS + λΣ|b| = "+Number(objective[len(objective)-1], 6)+", without a certificate")
	return t
}
