package history

import (
	"context"
	"net/http"
	"os/exec"
	"regexp"
	"time"
)

const repository = "/srv/git/handbook.git"

var revName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$`)

// Handler lists the latest changes of a branch or tag of the handbook.
func Handler(w http.ResponseWriter, r *http.Request) {
	rev := r.URL.Query().Get("rev")
	if rev == "" {
		rev = "main"
	}
	if !revName.MatchString(rev) {
		http.Error(w, "no such branch or tag", http.StatusNotFound)
		return
	}

	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()

	args := []string{"-C", repository, "log", "--max-count=30", "--format=%h %s"}
	args = append(args, "--end-of-options", rev, "--")
	out, err := exec.CommandContext(ctx, "git", args...).Output()
	if err != nil {
		http.Error(w, "no such branch or tag", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(out)
}
