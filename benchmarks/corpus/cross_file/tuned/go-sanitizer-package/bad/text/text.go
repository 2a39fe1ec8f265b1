package text

import "strings"

func Shown(value string) string {
	return strings.TrimSpace(value)
}
