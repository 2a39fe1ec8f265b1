package intake

import (
	"encoding/json"
	"io"
	"net/http"

	"github.com/go-chi/chi/v5"
)

type Answer struct {
	Question string `json:"question"`
	Text     string `json:"text"`
}

type Sink interface{ Put(Answer) error }

func Routes(sink Sink) http.Handler {
	r := chi.NewRouter()
	r.Post("/answers", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, "cannot read", http.StatusBadRequest)
			return
		}
		var answer Answer
		if json.Unmarshal(body, &answer) != nil || answer.Question == "" {
			http.Error(w, "not an answer", http.StatusUnprocessableEntity)
			return
		}
		if err := sink.Put(answer); err != nil {
			http.Error(w, "not stored", http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusCreated)
	})
	return r
}
