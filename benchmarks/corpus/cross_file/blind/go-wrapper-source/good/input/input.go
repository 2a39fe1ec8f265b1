package input

import (
	"net/http"
	"strconv"
)

func Text(r *http.Request, key string) string {
	return r.URL.Query().Get(key)
}

func Number(r *http.Request, key string) int {
	n, _ := strconv.Atoi(r.URL.Query().Get(key))
	return n
}
