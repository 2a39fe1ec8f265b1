package main

import (
	"net/http"

	"example.com/proxy/input"
)

func fetch(w http.ResponseWriter, r *http.Request) {
	target := input.Text(r, "url")
	answer, err := http.Get(target)
	if err != nil {
		w.WriteHeader(502)
		return
	}
	defer answer.Body.Close()
	w.WriteHeader(answer.StatusCode)
}

func main() {
	http.HandleFunc("/fetch", fetch)
	http.ListenAndServe(":8080", nil)
}
