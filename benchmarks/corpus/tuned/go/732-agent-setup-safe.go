// Command agent-setup writes the settings of the backup agent on this host.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"os"
	"path/filepath"
)

type settings struct {
	Server  string   `json:"server"`
	Token   string   `json:"token"`
	Folders []string `json:"folders"`
}

func save(dir string, s settings) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "agent.json"), data, 0o600)
}

func main() {
	dir := flag.String("dir", "/etc/backup-agent", "folder of the settings")
	server := flag.String("server", "", "address of the backup server")
	flag.Parse()
	if *server == "" || flag.NArg() == 0 {
		log.Fatal("usage: agent-setup -server HOST FOLDER...")
	}
	err := save(*dir, settings{Server: *server, Token: os.Getenv("AGENT_TOKEN"), Folders: flag.Args()})
	if err != nil {
		log.Fatal(err)
	}
}
