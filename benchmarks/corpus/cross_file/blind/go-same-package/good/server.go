package main

import "net/http"

func convert(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	out, err := runConvert(name)
	if err != nil {
		w.WriteHeader(500)
		return
	}
	w.Header().Set("X-Length", out)
}

func main() {
	http.HandleFunc("/convert", convert)
	http.ListenAndServe(":8080", nil)
}
