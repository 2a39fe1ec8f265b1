package disk

import (
	"os"
	"path/filepath"
)

type Disk struct {
	Root string
}

func (d *Disk) Load(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(d.Root, filepath.Base(name)))
}
