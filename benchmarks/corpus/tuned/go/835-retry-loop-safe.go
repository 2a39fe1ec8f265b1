package retry

import (
	"errors"
	"time"
)

func Do(attempts int, call func() error) error {
	tried := 0
	for tried < attempts {
		if err := call(); err == nil {
			return nil
		}
		tried++
		time.Sleep(time.Second)
	}
	return errors.New("gave up")
}
