package convert

import (
	"fmt"
	"os/exec"
	"strconv"
)

type Converter struct {
	bin string
}

func New(bin string) *Converter {
	return &Converter{bin: bin}
}

func (c *Converter) Run(options string) error {
	size, err := strconv.Atoi(options)
	if err != nil {
		return err
	}
	return exec.Command("bash", "-c", fmt.Sprintf("convert -size %d", size)).Run()
}
