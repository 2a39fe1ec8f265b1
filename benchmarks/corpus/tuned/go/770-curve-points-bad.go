package main

import (
	"encoding/json"
	"log"
	"math"
	"net/http"
	"strconv"
	"time"
)

type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func curve(w http.ResponseWriter, r *http.Request) {
	count, err := strconv.Atoi(r.FormValue("points"))
	if err != nil || count < 2 {
		http.Error(w, "points must be a number above 1", http.StatusBadRequest)
		return
	}

	points := make([]point, count)
	for i := range points {
		x := float64(i) / float64(count-1)
		points[i] = point{X: x, Y: math.Sin(2 * math.Pi * x)}
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(points); err != nil {
		log.Printf("curve not sent: %v", err)
	}
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("/curve", curve)
	server := &http.Server{Addr: ":8081", Handler: mux, ReadTimeout: 5 * time.Second, WriteTimeout: 20 * time.Second}
	log.Fatal(server.ListenAndServe())
}
