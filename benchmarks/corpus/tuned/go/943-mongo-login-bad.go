package login

import (
	"encoding/json"
	"net/http"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
)

type Handler struct{ users *mongo.Collection }

func (h *Handler) Find(w http.ResponseWriter, r *http.Request) {
	var filter bson.M
	if err := json.NewDecoder(r.Body).Decode(&filter); err != nil {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	var user bson.M
	if err := h.users.FindOne(r.Context(), filter).Decode(&user); err != nil {
		http.NotFound(w, r)
		return
	}
	json.NewEncoder(w).Encode(user["name"])
}
