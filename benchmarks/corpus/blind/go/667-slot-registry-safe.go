package slots

import (
	"errors"
	"sync"
)

var ErrTaken = errors.New("slot is taken")

type Registry struct {
	mu    sync.Mutex
	taken map[int]string
}

func New() *Registry {
	return &Registry{taken: make(map[int]string)}
}

func (r *Registry) Claim(slot int, owner string) error {
	r.mu.Lock()
	if current, ok := r.taken[slot]; ok && current != owner {
		r.mu.Unlock()
		return ErrTaken
	}
	r.taken[slot] = owner
	r.mu.Unlock()
	return nil
}

func (r *Registry) Free(slot int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.taken, slot)
}
