package upload

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
)

const dir = "/var/www/html/avatars"

func Avatar(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 5<<20)
	file, header, err := r.FormFile("avatar")
	if err != nil {
		http.Error(w, "no file", http.StatusBadRequest)
		return
	}
	defer file.Close()
	dst, err := os.Create(filepath.Join(dir, filepath.Base(header.Filename)))
	if err != nil {
		http.Error(w, "cannot store", http.StatusInternalServerError)
		return
	}
	defer dst.Close()
	io.Copy(dst, file)
	w.WriteHeader(http.StatusCreated)
}
