package service

import (
	"errors"

	"example.com/gateway/client"
)

var targets = map[string]string{"one": "http://one.internal/status"}

func Status(target string) (int, error) {
	address, ok := targets[target]
	if !ok {
		return 0, errors.New("unknown target")
	}
	return client.Get(address)
}
