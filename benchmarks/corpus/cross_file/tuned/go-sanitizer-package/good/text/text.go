package text

import (
	"html"
	"strings"
)

func Shown(value string) string {
	return html.EscapeString(strings.TrimSpace(value))
}
