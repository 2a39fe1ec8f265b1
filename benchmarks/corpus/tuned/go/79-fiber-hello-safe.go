package web

import (
	"html"

	"github.com/gofiber/fiber/v2"
)

func Routes(app *fiber.App) {
	app.Get("/hello/:name", func(c *fiber.Ctx) error {
		c.Set("Content-Type", "text/html; charset=utf-8")
		return c.SendString("<h1>Hello " + html.EscapeString(c.Params("name")) + "</h1>")
	})
}
