package handler

import (
	"net/http"

	"example.com/files/disk"
)

type Handler struct {
	Disk *disk.Disk
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	data, err := h.Disk.Load(name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Write(data)
}
