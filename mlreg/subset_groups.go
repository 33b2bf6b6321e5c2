package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/mlreg/internal/enumerate"
	"github.com/regbook/regbook/mlreg/internal/subsets"
)

// groupSubsets looks at every model of terms that are groups of columns: the best by
// Mult Q + Add of p, for a penalty that is one of the two, has the largest weight of a
// problem of package enumerate.
func (s *subsetData) groupSubsets(p *subsets.Problem, units *termUnits, aliased []string, set SubsetSettings) (*Subsets, error) {
	if d := len(units.names); d > MostCandidates {
		return nil, fmt.Errorf("%w: %d terms have 2^%d models; with Groups or Heredity at most %d terms can be searched: use FitStepwise, or keep some terms out or always in",
			ErrSetting, d, d, MostCandidates)
	}
	e := &enumerate.Problem{D: p.D, M: p.M, Tol: p.Tol, Rate: -1, Least: subsets.Floor,
		Size: make([]float64, p.D+1), VarSlope: make([]float64, p.D+1)}
	if p.Mult != nil && set.Criterion != ByCp {
		e.Rate, e.Power = 0, -1
	}
	for k := range e.Size {
		switch {
		case k < p.Least || k > p.Most:
			e.Size[k] = math.Inf(-1)
		case e.Power != 0:
			e.Size[k] = -math.Log2(p.Mult[k])
		case p.Mult != nil:
			e.Size[k] = -p.Add[k]
		}
	}
	masks := units.masks()
	masks.BySize = p.Mult == nil
	r, stopped := enumerate.RunUnits(e, masks, enumerate.Settings{Best: p.Best, Progress: p.Progress})
	if len(r.Best) == 0 && len(r.BestBy) == 0 {
		return nil, stopped
	}
	found, err := s.subsets(s.found(p, units, r, stopped != nil), set)
	if err != nil {
		return nil, err
	}
	found.s.Aliased, found.s.Split = aliased, nil
	found.s.Total = found.s.Visited
	if counts, ok := units.sizeCounts(); stopped != nil && ok {
		found.s.Total = 0
		for _, n := range counts {
			found.s.Total += math.Round(math.Exp(n))
		}
	}
	for _, list := range found.s.Models {
		for i := range list {
			list[i].Groups = []string{}
			for _, g := range wholeGroups(list[i].Terms, set.Groups) {
				list[i].Groups = append(list[i].Groups, g.Name)
			}
		}
	}
	return found, stopped
}

// found turns sums over models of units into what a search finds: sets of columns.
func (s *subsetData) found(p *subsets.Problem, units *termUnits, r *enumerate.UnitResult, stopped bool) *subsets.Result {
	out := &subsets.Result{Nodes: int64(r.Models), Models: int64(r.Models), Tol: subsets.Floor}
	lists := r.BestBy
	if lists == nil {
		lists = [][]enumerate.Model{r.Best}
	}
	for _, list := range lists {
		var models []subsets.Model
		for _, m := range list {
			if math.IsInf(m.Log2, -1) {
				continue
			}
			var set uint64
			for k, rows := range units.rows {
				for _, row := range rows {
					set |= uint64(m.Subset>>k&1) << (row - 1)
				}
			}
			models = append(models, subsets.Model{Set: set})
		}
		out.Best = append(out.Best, models)
	}
	for range p.D + 1 {
		bound := math.Inf(1)
		if stopped {
			bound = 0
		}
		out.Open = append(out.Open, bound)
	}
	full := enumerate.NewSweeper(&enumerate.Problem{D: p.D, M: p.M, Tol: p.Tol, Size: make([]float64, p.D+1)})
	for j := range p.D {
		full.Flip(j + 1)
	}
	for j := range p.D {
		out.Tol = math.Max(out.Tol, -0x1p-49*full.At(j+1, j+1))
	}
	return out
}
