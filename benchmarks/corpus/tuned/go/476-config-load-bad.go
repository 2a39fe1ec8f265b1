package config

import (
	"encoding/json"
	"os"
)

type Database struct {
	Host string
	Port int
}

type Config struct {
	Name     string
	Database *Database
}

func find(name string, all []*Config) *Config {
	for _, c := range all {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func Host(file, name string) (string, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var all []*Config
	if err := json.Unmarshal(raw, &all); err != nil {
		return "", err
	}
	chosen := find(name, all)
	return chosen.Database.Host, nil
}
