package main

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/labstack/echo/v4"
)

const library = "/srv/scores"

type scoreHandler struct {
	root string
}

func (h scoreHandler) show(c echo.Context) error {
	part := c.QueryParam("part")
	if part == "" {
		return echo.NewHTTPError(http.StatusBadRequest, "which part?")
	}
	location := filepath.Join(h.root, part)
	if !strings.HasPrefix(location, h.root+string(filepath.Separator)) {
		return echo.ErrNotFound
	}
	score, err := os.ReadFile(location)
	if errors.Is(err, os.ErrNotExist) {
		return echo.ErrNotFound
	}
	if err != nil {
		return echo.ErrInternalServerError
	}
	return c.Blob(http.StatusOK, "application/pdf", score)
}

func main() {
	e := echo.New()
	e.GET("/scores", scoreHandler{root: library}.show)
	e.Logger.Fatal(e.Start(":8080"))
}
