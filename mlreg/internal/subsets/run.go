package subsets

import (
	"math"
	"runtime"
	"slices"
	"sync"
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
	var (
		lock sync.Mutex
		done int
		stop error
	)
	report := func(more int) bool {
		lock.Lock()
		defer lock.Unlock()
		done += more
		if r.p.Progress != nil && stop == nil {
			stop = r.p.Progress(float64(done), float64(len(tasks)))
		}
		return stop != nil
	}
	walkers := make([]*walker, min(runtime.GOMAXPROCS(0), tasksPerWave))
	for i := range walkers {
		walkers[i] = newWalker(r.p)
		walkers[i].poll = func() bool { return report(0) }
	}
	for wave := range slices.Chunk(tasks, tasksPerWave) {
		found := make([]*ranking, len(wave))
		queue := make(chan int, len(wave))
		for i := range wave {
			queue <- i
		}
		close(queue)
		var wait sync.WaitGroup
		for _, w := range walkers {
			wait.Add(1)
			go func() {
				defer wait.Done()
				for i := range queue {
					w.ranking = r.clone()
					w.setWeights(wave[i])
					w.walk(wave[i])
					found[i] = w.ranking
					if !w.stopped {
						w.stopped = report(1)
					}
				}
			}()
		}
		wait.Wait()
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
	return stop
}
