package main

import (
	"html/template"
	"log"
	"net/http"
	"sync"
	"time"
)

type entry struct {
	From string
	Text string
}

var page = template.Must(template.New("guestbook").Parse(`<!doctype html>
<h1>Guestbook</h1>
<ul>{{range .}}<li><b>{{.From}}</b>: {{.Text}}</li>{{end}}</ul>
`))

type book struct {
	mu      sync.Mutex
	entries []entry
}

func (b *book) with(more ...entry) []entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.entries) < 500 {
		b.entries = append(b.entries, more...)
	}
	return append([]entry(nil), b.entries...)
}

func (b *book) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var more []entry
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, 4096)
		more = append(more, entry{From: r.PostFormValue("from"), Text: r.PostFormValue("text")})
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := page.Execute(w, b.with(more...)); err != nil {
		log.Print(err)
	}
}

func main() {
	server := &http.Server{Addr: ":8090", Handler: &book{}, ReadTimeout: 5 * time.Second}
	log.Fatal(server.ListenAndServe())
}
