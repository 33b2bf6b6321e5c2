package subsets

import (
	"math"
	"slices"
	"sync"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// A search is divided into about mostTasks subtrees, walked wave after wave of
// tasksPerWave. The tasks of a wave all start from the models known before it, so
// that what is found, and how much is walked, does not depend on the number of
// processors.
const (
	mostTasks    = 512
	tasksPerWave = 64
)

// Search returns the best models of p. If Progress returns an error, so does
// Search, with the best models of those looked at by then, and Open bounds the
// others.
func Search(p *Problem) (*Result, error) {
	roots, err := p.roots()
	if err != nil {
		return nil, err
	}
	found := newRanking(p)
	found.search()

	top := newWalker(p)
	top.ranking = found
	for _, n := range roots {
		n.offer(top)
	}
	tasks := top.divide(roots)
	err = found.runTasks(tasks, top)
	if p.Best == 1 {
		found.preferFirst()
	}
	return &Result{Best: found.best, Open: top.open, Tol: tolerance(roots), Nodes: top.nodes, Models: top.models}, err
}

// tolerance is the error that rounding can leave in Q, relative to the response,
// whose length is 1: some units of it, amplified by M_SS^-1.
func tolerance(roots []*node) float64 {
	tol := Floor
	for _, n := range roots {
		for i := range n.m {
			tol = math.Max(tol, 0x1p-49*n.a[i*n.m+i])
		}
	}
	return tol
}

// divide replaces the subtrees that have most free terms by their children until
// there are enough of them, and returns them in the order in which one walker
// would visit them.
func (w *walker) divide(nodes []*node) []*node {
	for m := w.p.D; m > 1 && len(nodes) < mostTasks; m-- {
		var next []*node
		for _, n := range nodes {
			if n.m < m {
				next = append(next, n)
				continue
			}
			w.nodes++
			for i := range n.m - 1 {
				if w.look(n, i) {
					next = append(next, w.child(n, i).copy())
				}
			}
		}
		nodes = next
	}
	return nodes
}

// runTasks walks the subtrees on as many goroutines as there are processors, and
// adds what they find to r and what they count to total.
func (r *ranking) runTasks(tasks []*node, total *walker) error {
	progress := gram.Progress{Total: float64(len(tasks)), Tell: r.p.Progress}
	var (
		lock    sync.Mutex
		walkers []*walker // kept from wave to wave
		busy    int
	)
	take := func() *walker {
		lock.Lock()
		defer lock.Unlock()
		if busy == len(walkers) {
			w := newWalker(r.p)
			w.poll = func() bool { return progress.Add(0) }
			walkers = append(walkers, w)
		}
		busy++
		return walkers[busy-1]
	}
	for wave := range slices.Chunk(tasks, tasksPerWave) {
		found := make([]*ranking, len(wave))
		busy = 0
		gram.Parallel(len(wave), func() func(int) {
			w := take()
			return func(i int) {
				w.ranking = r.clone()
				w.setWeights(wave[i])
				w.walk(wave[i])
				found[i] = w.ranking
				if !w.stopped {
					w.stopped = progress.Add(1)
				}
			}
		})
		for _, f := range found {
			r.merge(f)
		}
	}
	for _, w := range walkers {
		total.nodes += w.nodes
		total.models += w.models
		for k, bound := range w.open {
			total.open[k] = math.Min(total.open[k], bound)
		}
	}
	return progress.Stopped()
}
