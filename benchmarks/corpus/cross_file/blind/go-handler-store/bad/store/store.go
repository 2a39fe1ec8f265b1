package store

import (
	"database/sql"
	"fmt"
)

var db *sql.DB

func Search(term string) error {
	query := fmt.Sprintf("SELECT id FROM item WHERE name LIKE '%%%s%%'", term)
	rows, err := db.Query(query)
	if err != nil {
		return err
	}
	return rows.Close()
}
