package storage

type Notes interface {
	Remove(id string) error
}
