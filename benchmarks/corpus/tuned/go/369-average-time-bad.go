package metrics

import (
	"net/http"
	"strconv"
	"time"
)

type Sample struct {
	Took time.Duration
}

func Average(samples []Sample) time.Duration {
	var total time.Duration
	for _, s := range samples {
		total += s.Took
	}
	return total / time.Duration(len(samples))
}

func Handler(load func() []Sample) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(strconv.FormatInt(Average(load()).Milliseconds(), 10)))
	}
}
