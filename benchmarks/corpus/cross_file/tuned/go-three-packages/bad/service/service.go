package service

import "example.com/gateway/client"

func Status(target string) (int, error) {
	return client.Get("http://" + target + "/status")
}
