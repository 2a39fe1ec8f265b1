package main

import (
	"net/http"

	"example.com/shop/store"
)

func search(w http.ResponseWriter, r *http.Request) {
	term := r.URL.Query().Get("q")
	if err := store.Search(term); err != nil {
		http.Error(w, "failed", http.StatusInternalServerError)
	}
}

func main() {
	http.HandleFunc("/search", search)
	http.ListenAndServe(":8080", nil)
}
