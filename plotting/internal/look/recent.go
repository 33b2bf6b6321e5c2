package look

import "sync"

// recent has values that were computed, by their keys.
type recent[K comparable, V any] struct {
	sync.Mutex
	of map[K]V
}

// mostRecent is the number of values that are kept; when there are more, all are dropped.
const mostRecent = 4096

// at returns the value at a key, computed unless it is kept. Two at a time may compute the same.
func (r *recent[K, V]) at(key K, compute func() V) V {
	r.Lock()
	v, ok := r.of[key]
	r.Unlock()
	if ok {
		return v
	}
	v = compute()
	r.Lock()
	defer r.Unlock()
	if r.of == nil || len(r.of) >= mostRecent {
		r.of = map[K]V{}
	}
	r.of[key] = v
	return v
}
