package live

import "sync"

// kept computes what does not change with the parameter that a reader moves, and keeps it until it is asked for at
// another key: another seed, or other values of what it depends on.
type kept[K comparable, V any] struct {
	sync.Mutex
	key   K
	value V
	holds bool
}

// at returns the value at a key, computed unless it is the last that was. Nothing is kept of what failed.
func (k *kept[K, V]) at(key K, compute func() V) V {
	k.Lock()
	defer k.Unlock()
	if !k.holds || k.key != key {
		k.value = compute()
		k.key, k.holds = key, true
	}
	return k.value
}
