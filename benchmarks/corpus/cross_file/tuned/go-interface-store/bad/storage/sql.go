package storage

import "database/sql"

type SQLNotes struct {
	db *sql.DB
}

func (n *SQLNotes) Remove(id string) error {
	_, err := n.db.Exec("DELETE FROM note WHERE id = " + id)
	return err
}
