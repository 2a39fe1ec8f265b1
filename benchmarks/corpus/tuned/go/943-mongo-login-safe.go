package login

import (
	"encoding/json"
	"net/http"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
)

type Handler struct{ users *mongo.Collection }

type lookup struct {
	Name string `json:"name"`
}

func (h *Handler) Find(w http.ResponseWriter, r *http.Request) {
	var in lookup
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096)).Decode(&in); err != nil {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	var user bson.M
	if err := h.users.FindOne(r.Context(), bson.M{"name": in.Name}).Decode(&user); err != nil {
		http.NotFound(w, r)
		return
	}
	json.NewEncoder(w).Encode(user["name"])
}
