package upload

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"
)

const dir = "/var/lib/avatars"

var allowed = map[string]bool{".png": true, ".jpg": true}

func Avatar(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 5<<20)
	file, header, err := r.FormFile("avatar")
	if err != nil {
		http.Error(w, "no file", http.StatusBadRequest)
		return
	}
	defer file.Close()
	ext := strings.ToLower(filepath.Ext(header.Filename))
	if !allowed[ext] {
		http.Error(w, "pictures only", http.StatusUnsupportedMediaType)
		return
	}
	dst, err := os.Create(filepath.Join(dir, uuid.NewString()+ext))
	if err != nil {
		http.Error(w, "cannot store", http.StatusInternalServerError)
		return
	}
	defer dst.Close()
	io.Copy(dst, file)
	w.WriteHeader(http.StatusCreated)
}
