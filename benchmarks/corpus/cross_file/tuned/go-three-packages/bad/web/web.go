package web

import (
	"net/http"

	"example.com/gateway/service"
)

func Show(w http.ResponseWriter, r *http.Request) {
	status, err := service.Status(r.Header.Get("X-Target"))
	if err != nil {
		w.WriteHeader(502)
		return
	}
	w.WriteHeader(status)
}
