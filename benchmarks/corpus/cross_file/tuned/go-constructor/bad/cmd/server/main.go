package main

import (
	"net/http"

	"example.com/media/internal/convert"
)

func main() {
	converter := convert.New("/usr/bin")
	http.HandleFunc("/convert", func(w http.ResponseWriter, r *http.Request) {
		if err := converter.Run(r.URL.Query().Get("options")); err != nil {
			w.WriteHeader(500)
		}
	})
	http.ListenAndServe(":8080", nil)
}
