package api

import (
	"net/http"

	"example.com/notes/storage"
)

type Server struct {
	notes storage.Notes
}

func (s *Server) Remove(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	if err := s.notes.Remove(id); err != nil {
		w.WriteHeader(http.StatusInternalServerError)
	}
}
