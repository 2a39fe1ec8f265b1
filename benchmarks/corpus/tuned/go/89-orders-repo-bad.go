package store

import (
	"context"
	"database/sql"
	"strings"
)

type OrderRepo struct {
	db *sql.DB
}

type Filter struct {
	Status []string
	SortBy string
}

func (r *OrderRepo) buildQuery(f Filter) string {
	var b strings.Builder
	b.WriteString("SELECT id, total FROM orders")
	if len(f.Status) > 0 {
		b.WriteString(" WHERE status IN ('" + strings.Join(f.Status, "','") + "')")
	}
	if f.SortBy != "" {
		b.WriteString(" ORDER BY " + f.SortBy)
	}
	return b.String()
}

func (r *OrderRepo) List(ctx context.Context, f Filter) (*sql.Rows, error) {
	return r.db.QueryContext(ctx, r.buildQuery(f))
}
