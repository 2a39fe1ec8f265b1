package site

import "net/http"

func Serve() error {
	mux := http.NewServeMux()
	mux.Handle("/uploads/", http.StripPrefix("/uploads/", http.FileServer(http.Dir("/srv/uploads"))))
	return http.ListenAndServe("127.0.0.1:8080", mux)
}
