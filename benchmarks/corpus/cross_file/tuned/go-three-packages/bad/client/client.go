package client

import "net/http"

func Get(address string) (int, error) {
	answer, err := http.Get(address)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	return answer.StatusCode, nil
}
