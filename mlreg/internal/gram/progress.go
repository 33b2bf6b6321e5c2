package gram

import (
	"errors"
	"sync"
)

// Progress adds up what tasks have done, and tells it one task at a time.
type Progress struct {
	Total float64
	Tell  func(done, total float64) error // may be nil

	lock sync.Mutex
	done float64
	stop error
}

// errTelling stands until Tell returns: a Tell that panics stops every task.
var errTelling = errors.New("gram: progress was not told")

// Add tells that more is done, and returns whether to stop, because Tell has
// returned an error.
func (p *Progress) Add(more float64) (stop bool) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.done += more
	if p.Tell != nil && p.stop == nil {
		p.stop = errTelling
		p.stop = p.Tell(p.done, p.Total)
	}
	return p.stop != nil
}

// Stopped returns the error of Tell.
func (p *Progress) Stopped() error {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.stop
}
