package media

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"path/filepath"
)

type probeRequest struct {
	File string `json:"file"`
}

func Probe(w http.ResponseWriter, r *http.Request) {
	var req probeRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	path := filepath.Join("/srv/media", filepath.Base(req.File))
	out, err := exec.CommandContext(r.Context(), "ffprobe", "-of", "json", "-i", path).Output()
	if err != nil {
		http.Error(w, "probe failed", http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(out)
}
