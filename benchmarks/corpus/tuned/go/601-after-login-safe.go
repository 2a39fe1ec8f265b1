package auth

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
)

type Server struct {
	sessions Sessions
}

type Sessions interface {
	Login(w http.ResponseWriter, user, password string) bool
}

func (s *Server) Routes() http.Handler {
	r := chi.NewRouter()
	r.Post("/login", s.login)
	return r
}

func local(next string) string {
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.HasPrefix(next, "/\\") {
		return "/"
	}
	return next
}

func (s *Server) login(w http.ResponseWriter, r *http.Request) {
	if !s.sessions.Login(w, r.PostFormValue("user"), r.PostFormValue("password")) {
		http.Error(w, "wrong user or password", http.StatusUnauthorized)
		return
	}
	http.Redirect(w, r, local(r.FormValue("next")), http.StatusSeeOther)
}
