package page

import (
	"fmt"
	"net/http"

	"example.com/pages/text"
)

func Hello(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	Greet(w, text.Shown(r.URL.Query().Get("name")))
}

func Greet(w http.ResponseWriter, name string) {
	fmt.Fprintf(w, "<h1>Hello %s</h1>", name)
}
