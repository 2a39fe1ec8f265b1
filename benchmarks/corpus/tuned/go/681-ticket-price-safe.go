package tickets

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
)

const centsPerTicket = 1250

var errAmount = errors.New("the number of tickets is not valid")

func parseTickets(raw string) (int32, error) {
	n, err := strconv.ParseInt(raw, 10, 32)
	if err != nil || n < 1 {
		return 0, errAmount
	}
	return int32(n), nil
}

// Quote tells the price of a number of tickets in cents.
func Quote(w http.ResponseWriter, r *http.Request) {
	tickets, err := parseTickets(r.FormValue("tickets"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	total := int64(tickets) * centsPerTicket
	fmt.Fprintf(w, "%d\n", total)
}
