package dues

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
)

type Store struct{ DB *sql.DB }

type Due struct {
	Vessel string `json:"vessel"`
	Cents  int64  `json:"cents"`
}

func (s *Store) find(ctx context.Context, vessel string) (d Due, err error) {
	query := fmt.Sprintf("SELECT vessel, cents FROM dues WHERE vessel = '%s'", vessel)
	err = s.DB.QueryRowContext(ctx, query).Scan(&d.Vessel, &d.Cents)
	return d, err
}

func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	due, err := s.find(r.Context(), r.URL.Query().Get("vessel"))
	if err != nil {
		http.Error(w, "no dues found", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(due); err != nil {
		http.Error(w, "cannot answer", http.StatusInternalServerError)
	}
}
