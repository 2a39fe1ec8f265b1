package main

import (
	"fmt"
	"net/http"

	"example.com/proxy/input"
)

func fetch(w http.ResponseWriter, r *http.Request) {
	number := input.Number(r, "id")
	answer, err := http.Get(fmt.Sprintf("https://api.example.com/items/%d", number))
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
