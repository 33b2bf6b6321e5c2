package frames

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/go-gota/gota/dataframe"
)

// GraphNode is a variable of a directed graphical model.
type GraphNode struct {
	// Name is what others call it, and what a figure writes.
	Name string
	// Parents are the nodes that it depends on, which stand before it.
	Parents []string
	// Plates are those that it is repeated in, the outermost first. A parent in a plate
	// that the node is not in stands for all of its repetitions, which DrawAll is given.
	Plates []string
	// Observed nodes are data; a figure shades them.
	Observed bool
	// Fixed nodes are constants, such as a known variance; a figure draws a dot.
	Fixed bool
	// Draw returns a value given those of the parents; Graph.Sample needs it.
	Draw func(r *rand.Rand, parent func(name string) float64) float64
	// DrawAll, if not nil, is used in place of Draw: it is given all values of a parent, in
	// the order of the parent's repetitions, such as the weights of all terms of a regression.
	DrawAll func(r *rand.Rand, parents func(name string) []float64) float64
	// Column and Row are the place in a figure: columns from the left, rows from the top.
	Column, Row float64
}

// Graph is a directed graphical model: a joint distribution as the product of every
// node's given its parents. plotting.Plate draws it, and Sample draws data from it.
type Graph []GraphNode

// Check returns what is wrong with a graph, ErrSetting: a name that is missing or there
// twice, or a parent that does not stand before its child.
func (g Graph) Check() error {
	if len(g) == 0 {
		return errorf(ErrSetting, "the graph has no nodes")
	}
	for i, n := range g {
		if n.Name == "" {
			return errorf(ErrSetting, "node %d of the graph has no name", i)
		}
		if g[:i].find(n.Name) >= 0 {
			return errorf(ErrSetting, "two nodes of the graph are named %q", n.Name)
		}
		for _, p := range n.Parents {
			if g[:i].find(p) < 0 {
				return errorf(ErrSetting, "the parent %q of node %q does not stand before it", p, n.Name)
			}
		}
	}
	return nil
}

func (g Graph) find(name string) int {
	return slices.IndexFunc(g, func(n GraphNode) bool { return n.Name == name })
}

// Sample draws every node once for every repetition of its plates, and returns a frame
// with a row for every repetition of one node: a column for each of its plates, counted from
// 1, and for each node whose plates are among them. A node that the one depends on and that
// is in further plates has a column for each repetition of these: x1, x2 for x. The sizes of a
// plate are one number, or one for each repetition of the plates around it: pupils of every
// school. The same source gives the same frame. Errors: those of Check; ErrSetting for an unknown
// node, a plate without sizes, a node without Draw and DrawAll.
func (g Graph) Sample(node string, sizes map[string][]int, src rand.Source) (dataframe.DataFrame, error) {
	var none dataframe.DataFrame
	if err := g.Check(); err != nil {
		return none, err
	}
	if src == nil {
		return none, noSource()
	}
	k := g.find(node)
	if k < 0 {
		return none, errorf(ErrSetting, "the graph has no node %q", node)
	}
	r := rand.New(src)
	values := make(map[string]float64) // by name and place
	for i := range g {
		if err := g.draw(&g[i], sizes, values, r); err != nil {
			return none, err
		}
	}
	columns, err := g.columnsAt(k, sizes, values)
	if err != nil {
		return none, err
	}
	return Frame(columns...)
}

// columnsAt returns a row for every repetition of node k: the numbers of its plates, and the
// values drawn of the nodes that it sees.
func (g Graph) columnsAt(k int, sizes map[string][]int, values map[string]float64) ([]Column, error) {
	last := g[k]
	places, err := repetitions(last.Plates, sizes)
	if err != nil {
		return nil, err
	}
	var columns []Column
	for j, plate := range last.Plates {
		number := make([]int, len(places))
		for i, at := range places {
			number[i] = at[j] + 1
		}
		columns = append(columns, Col(plate, number))
	}
	needed := g.ancestors(k)
	for i, n := range g {
		further := slices.ContainsFunc(n.Plates, func(p string) bool { return !slices.Contains(last.Plates, p) })
		if further && !needed[i] {
			continue
		}
		all, err := n.seenFrom(&last, sizes, values)
		if err != nil {
			return nil, err
		}
		wide := make([][]float64, len(all(places[0])))
		for _, at := range places {
			v := all(at)
			if len(v) != len(wide) {
				return nil, errorf(ErrSetting, "node %q is repeated %d times in the first %s and %d times in another: no columns of a table", n.Name, len(wide), last.Name, len(v))
			}
			for c := range v {
				wide[c] = append(wide[c], v[c])
			}
		}
		for c, column := range wide {
			name := n.Name
			if further {
				name = fmt.Sprint(n.Name, c+1)
			}
			columns = append(columns, Col(name, column))
		}
	}
	return columns, nil
}

// draw draws the values of a node, whose parents have theirs.
func (g Graph) draw(n *GraphNode, sizes map[string][]int, values map[string]float64, r *rand.Rand) error {
	if n.Draw == nil && n.DrawAll == nil {
		return errorf(ErrSetting, "node %q has no Draw", n.Name)
	}
	for _, p := range n.Parents {
		for _, plate := range g[g.find(p)].Plates {
			if n.DrawAll == nil && !slices.Contains(n.Plates, plate) {
				return errorf(ErrSetting, "node %q is in the plate %q, and its child %q is not: one value of it has many of the parent's, which DrawAll takes", p, plate, n.Name)
			}
		}
	}
	places, err := repetitions(n.Plates, sizes)
	if err != nil {
		return err
	}
	parentOf := func(name string) *GraphNode {
		i := g.find(name)
		if i < 0 || !slices.Contains(n.Parents, name) {
			panic(fmt.Sprintf("frames: node %q asks for %q, which is not one of its parents", n.Name, name))
		}
		return &g[i]
	}
	all := make(map[string]func(at []int) []float64) // values of the parents
	if n.DrawAll != nil {
		for _, p := range n.Parents {
			if all[p], err = parentOf(p).seenFrom(n, sizes, values); err != nil {
				return err
			}
		}
	}
	for _, at := range places {
		var v float64
		if n.DrawAll != nil {
			v = n.DrawAll(r, func(parent string) []float64 { return all[parentOf(parent).Name](at) })
		} else {
			v = n.Draw(r, func(parent string) float64 { return values[parent+n.at(at, parentOf(parent).Plates)] })
		}
		values[n.Name+n.at(at, n.Plates)] = v
	}
	return nil
}

// ancestors says which nodes node k depends on, itself among them.
func (g Graph) ancestors(k int) []bool {
	out := make([]bool, len(g))
	out[k] = true
	for i := k; i >= 0; i-- {
		for _, p := range g[i].Parents {
			if j := g.find(p); out[i] {
				out[j] = true
			}
		}
	}
	return out
}

// seenFrom returns the function from a repetition of another node to the values of this one there:
// those of all repetitions in plates that the other is not in.
func (n *GraphNode) seenFrom(other *GraphNode, sizes map[string][]int, values map[string]float64) (func(at []int) []float64, error) {
	var shared []string
	for _, plate := range n.Plates {
		if slices.Contains(other.Plates, plate) {
			shared = append(shared, plate)
		}
	}
	places, err := repetitions(n.Plates, sizes)
	if err != nil {
		return nil, err
	}
	all := make(map[string][]float64)
	for _, at := range places {
		key := n.at(at, shared)
		all[key] = append(all[key], values[n.Name+n.at(at, n.Plates)])
	}
	return func(at []int) []float64 { return all[other.at(at, shared)] }, nil
}

// at names the repetition of some of the node's plates.
func (n *GraphNode) at(place []int, plates []string) string {
	s := ""
	for _, plate := range plates {
		s += fmt.Sprint(" ", place[slices.Index(n.Plates, plate)])
	}
	return s
}

// repetitions lists those of nested plates, each by its numbers from 0.
func repetitions(plates []string, sizes map[string][]int) ([][]int, error) {
	out := [][]int{{}}
	for _, plate := range plates {
		size := sizes[plate]
		if len(size) != 1 && len(size) != len(out) {
			return nil, errorf(ErrSetting, "plate %q has %d sizes; give one, or one for each of the %d repetitions around it", plate, len(size), len(out))
		}
		var next [][]int
		for i, at := range out {
			n := size[0]
			if len(size) > 1 {
				n = size[i]
			}
			if n < 1 {
				return nil, errorf(ErrSetting, "a size of plate %q is %d", plate, n)
			}
			for j := range n {
				next = append(next, append(slices.Clone(at), j))
			}
		}
		out = next
	}
	return out, nil
}
