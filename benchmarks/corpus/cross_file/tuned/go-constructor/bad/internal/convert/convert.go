package convert

import "os/exec"

type Converter struct {
	bin string
}

func New(bin string) *Converter {
	return &Converter{bin: bin}
}

func (c *Converter) Run(options string) error {
	return exec.Command("bash", "-c", "convert "+options).Run()
}
