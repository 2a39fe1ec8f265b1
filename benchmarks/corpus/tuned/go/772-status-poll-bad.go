package poll

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type Status struct {
	State string `json:"state"`
}

func Fetch(client *http.Client, base, job string) (Status, error) {
	var s Status
	resp, err := client.Get(fmt.Sprintf("%s/jobs/%s", base, job))
	if err != nil {
		return s, err
	}
	if resp.StatusCode != http.StatusOK {
		return s, fmt.Errorf("status %d", resp.StatusCode)
	}
	err = json.NewDecoder(resp.Body).Decode(&s)
	return s, err
}
