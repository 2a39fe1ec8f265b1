package table

import (
	"net/http"
	"strconv"
)

var prices = []int{100, 250, 400}

func Price(w http.ResponseWriter, r *http.Request) {
	i, err := strconv.Atoi(r.URL.Query().Get("tier"))
	if err != nil {
		http.Error(w, "tier", http.StatusBadRequest)
		return
	}
	w.Write([]byte(strconv.Itoa(prices[i])))
}
