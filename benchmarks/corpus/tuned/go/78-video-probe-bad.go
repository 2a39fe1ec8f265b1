package media

import (
	"encoding/json"
	"net/http"
	"os/exec"
)

type probeRequest struct {
	File   string `json:"file"`
	Format string `json:"format"`
}

func Probe(w http.ResponseWriter, r *http.Request) {
	var req probeRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	out, err := exec.CommandContext(r.Context(), "sh", "-c", "ffprobe -of "+req.Format+" -i "+req.File).Output()
	if err != nil {
		http.Error(w, "probe failed", http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(out)
}
