package store

import (
	"database/sql"
)

var db *sql.DB

func Search(term string) error {
	rows, err := db.Query("SELECT id FROM item WHERE name LIKE $1", "%"+term+"%")
	if err != nil {
		return err
	}
	return rows.Close()
}
