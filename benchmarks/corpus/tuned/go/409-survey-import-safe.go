package survey

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
)

const (
	maxUpload  = 1 << 20
	maxContent = 16 << 20
)

var errTooLarge = errors.New("survey is too large")

type Sink interface {
	Append(rows [][]string) error
}

func unpack(body io.Reader) ([]byte, error) {
	zr, err := gzip.NewReader(body)
	if err != nil {
		return nil, err
	}
	defer zr.Close()
	var content bytes.Buffer
	n, err := io.Copy(&content, io.LimitReader(zr, maxContent+1))
	if err != nil {
		return nil, err
	}
	if n > maxContent {
		return nil, errTooLarge
	}
	return content.Bytes(), nil
}

// Import takes a packed CSV file from the survey app.
func Import(sink Sink) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		content, err := unpack(http.MaxBytesReader(w, r.Body, maxUpload))
		if err != nil {
			http.Error(w, "not a survey", http.StatusBadRequest)
			return
		}
		rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
		if err != nil {
			http.Error(w, "not a table", http.StatusBadRequest)
			return
		}
		if err := sink.Append(rows); err != nil {
			http.Error(w, "internal error", http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}
