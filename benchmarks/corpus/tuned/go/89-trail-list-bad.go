package main

import (
	"database/sql"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/gin-gonic/gin"
	_ "github.com/lib/pq"
)

func trailQuery(sort string) string {
	return fmt.Sprintf("SELECT name FROM trails WHERE open ORDER BY %s LIMIT 100", sort)
}

func main() {
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	r := gin.Default()
	r.GET("/trails", func(c *gin.Context) {
		rows, err := db.QueryContext(c, trailQuery(c.DefaultQuery("sort", "name")))
		if err != nil {
			c.AbortWithStatus(http.StatusInternalServerError)
			return
		}
		defer rows.Close()

		trails := []string{}
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				c.AbortWithStatus(http.StatusInternalServerError)
				return
			}
			trails = append(trails, name)
		}
		if rows.Err() != nil {
			c.AbortWithStatus(http.StatusInternalServerError)
			return
		}
		c.JSON(http.StatusOK, trails)
	})
	if err := r.Run(); err != nil {
		log.Print(err)
	}
}
