package accounts

import (
	"context"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"
)

type Store interface {
	Disable(ctx context.Context, id int64) error
	Delete(ctx context.Context, id int64) error
}

type User struct {
	ID    int64
	Admin bool
}

type userKey struct{}

func requireAdmin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, ok := r.Context().Value(userKey{}).(*User)
		if !ok || !user.Admin {
			http.Error(w, "forbidden", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func onAccount(action func(context.Context, int64) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
		if err != nil {
			http.Error(w, "bad id", http.StatusBadRequest)
			return
		}
		if err := action(r.Context(), id); err != nil {
			http.Error(w, "internal error", http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

// Routes expects that the bearer token of the caller was read before.
func Routes(store Store) http.Handler {
	r := chi.NewRouter()
	r.With(requireAdmin).Put("/accounts/{id}/disabled", onAccount(store.Disable))
	r.Delete("/accounts/{id}", onAccount(store.Delete))
	return r
}
