package main

import (
	"os/exec"
	"strconv"
)

func runConvert(name string) (string, error) {
	out, err := exec.Command("sh", "-c", "convert "+name+" out.png").Output()
	if err != nil {
		return "", err
	}
	return strconv.Itoa(len(out)), nil
}
