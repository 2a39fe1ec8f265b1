package manuals

import (
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// Server hands out the manuals that lie below one folder.
type Server struct {
	root string
	log  *slog.Logger
}

func New(root string, log *slog.Logger) (*Server, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	return &Server{root: abs, log: log}, nil
}

func (s *Server) locate(name string) (string, bool) {
	path := filepath.Join(s.root, name)
	inside := strings.HasPrefix(path, s.root+string(filepath.Separator))
	return path, inside && strings.HasSuffix(path, ".pdf")
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, ok := s.locate(r.URL.Query().Get("manual"))
	if !ok {
		http.Error(w, "no such manual", http.StatusNotFound)
		return
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		http.Error(w, "no such manual", http.StatusNotFound)
		return
	}
	if err != nil {
		s.log.Error("manual not readable", "error", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/pdf")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if _, err := w.Write(data); err != nil {
		s.log.Warn("answer not sent", "error", err)
	}
}
