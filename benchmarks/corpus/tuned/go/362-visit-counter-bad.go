package visits

import (
	"encoding/json"
	"net/http"
)

var known = map[string]bool{"/": true, "/prices": true, "/contact": true}

// Counter counts the visits of the known pages.
type Counter struct {
	next  http.Handler
	pages map[string]int
}

func Count(next http.Handler) *Counter {
	return &Counter{next: next, pages: make(map[string]int)}
}

func (c *Counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if known[r.URL.Path] {
		c.pages[r.URL.Path]++
	}
	c.next.ServeHTTP(w, r)
}

// Flush hands over the counts; main calls it once, after the server has shut down.
func (c *Counter) Flush() ([]byte, error) {
	return json.Marshal(c.pages)
}
