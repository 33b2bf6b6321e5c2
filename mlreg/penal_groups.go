package mlreg

// Groups returns the groups of columns that enter together, nil if every column
// enters alone.
func (p *Path[F]) Groups() []TermGroup {
	var out []TermGroup
	for k, of := range p.s.GroupOf {
		if g := (TermGroup{Name: p.s.GroupNames[k]}); len(of) > 1 {
			for _, j := range of {
				g.Terms = append(g.Terms, p.s.L.Names[j])
			}
			out = append(out, g)
		}
	}
	return out
}

// Order returns the terms that have a slope somewhere on the path, in the order in
// which they enter: by the largest lambda of the grid, which it returns too, where
// that is not zero. A group enters under its name. Those that enter at the same lambda
// are in the order of the design.
func (p *Path[F]) Order() (names []string, lambda []float64) {
	of := make([]string, p.s.slopes())
	copy(of, p.Terms())
	for k, columns := range p.s.GroupOf {
		for _, j := range columns {
			of[j] = p.s.GroupNames[k]
		}
	}
	seen := make(map[string]bool)
	for _, point := range p.s.Points {
		for i, j := range point.Terms {
			if point.Slopes[i] != 0 && !seen[of[j]] {
				seen[of[j]] = true
				names, lambda = append(names, of[j]), append(lambda, point.Lambda)
			}
		}
	}
	return names, lambda
}
