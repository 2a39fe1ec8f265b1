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

var sortable = map[string]string{"date": "created_at", "total": "total"}

func (r *OrderRepo) buildQuery(f Filter) (string, []any) {
	var b strings.Builder
	var args []any
	b.WriteString("SELECT id, total FROM orders")
	if len(f.Status) > 0 {
		b.WriteString(" WHERE status IN (?" + strings.Repeat(",?", len(f.Status)-1) + ")")
		for _, s := range f.Status {
			args = append(args, s)
		}
	}
	if column, ok := sortable[f.SortBy]; ok {
		b.WriteString(" ORDER BY " + column)
	}
	return b.String(), args
}

func (r *OrderRepo) List(ctx context.Context, f Filter) (*sql.Rows, error) {
	query, args := r.buildQuery(f)
	return r.db.QueryContext(ctx, query, args...)
}
