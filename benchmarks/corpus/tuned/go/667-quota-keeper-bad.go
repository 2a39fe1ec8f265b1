package quota

import (
	"errors"
	"sync"
	"time"
)

var ErrExceeded = errors.New("quota exceeded")

type window struct {
	start time.Time
	used  int
}

// Keeper counts the calls of each client in one minute.
type Keeper struct {
	mu      sync.Mutex
	limit   int
	windows map[string]*window
}

func NewKeeper(limit int) *Keeper {
	return &Keeper{limit: limit, windows: make(map[string]*window)}
}

func (k *Keeper) Spend(client string, now time.Time) error {
	k.mu.Lock()
	w, ok := k.windows[client]
	if !ok || now.Sub(w.start) >= time.Minute {
		w = &window{start: now}
		k.windows[client] = w
	}
	if w.used >= k.limit {
		return ErrExceeded
	}
	w.used++
	k.mu.Unlock()
	return nil
}

// Sweep forgets clients that have been silent for a while.
func (k *Keeper) Sweep(now time.Time) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	removed := 0
	for client, w := range k.windows {
		if now.Sub(w.start) > 10*time.Minute {
			delete(k.windows, client)
			removed++
		}
	}
	return removed
}
