package main

import (
	"io"
	"log"
	"net/http"
	"net/url"
	"time"
)

var client = &http.Client{Timeout: 5 * time.Second}

func badge(w http.ResponseWriter, r *http.Request) {
	target := r.FormValue("from")
	if _, err := url.Parse(target); err != nil {
		http.Error(w, "bad address", http.StatusBadRequest)
		return
	}
	resp, err := client.Get(target)
	if err != nil {
		http.Error(w, "badge not available", http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if _, err := io.Copy(w, io.LimitReader(resp.Body, 1<<18)); err != nil {
		log.Print("badge: copy interrupted")
	}
}

func main() {
	http.HandleFunc("/badge", badge)
	server := &http.Server{Addr: "127.0.0.1:8085", ReadHeaderTimeout: 3 * time.Second}
	log.Fatal(server.ListenAndServe())
}
