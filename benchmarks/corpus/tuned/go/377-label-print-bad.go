package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func writeLabels(names []string) (path string, err error) {
	path = filepath.Join(os.TempDir(), fmt.Sprintf("labels-%d.txt", os.Getpid()))
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer func() {
		if cerr := file.Close(); err == nil {
			err = cerr
		}
	}()
	for _, name := range names {
		if _, err := fmt.Fprintf(file, "%-40s\f", strings.TrimSpace(name)); err != nil {
			return path, err
		}
	}
	return path, nil
}

func main() {
	var names []string
	scanner := bufio.NewScanner(os.Stdin)
	for scanner.Scan() {
		names = append(names, scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		log.Fatal(err)
	}
	path, err := writeLabels(names)
	if err != nil {
		log.Fatal(err)
	}
	err = exec.Command("lp", "-o", "media=label", path).Run()
	if rerr := os.Remove(path); rerr != nil {
		log.Print(rerr)
	}
	if err != nil {
		log.Fatal(err)
	}
}
