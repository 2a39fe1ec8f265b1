package api

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
)

type Members interface {
	Remove(id int64) error
	RoleOf(session string) (string, bool)
}

func signedIn(members Members) gin.HandlerFunc {
	return func(c *gin.Context) {
		session, err := c.Cookie("club_session")
		if err != nil {
			c.AbortWithStatus(http.StatusUnauthorized)
			return
		}
		role, ok := members.RoleOf(session)
		if !ok {
			c.AbortWithStatus(http.StatusUnauthorized)
			return
		}
		c.Set("role", role)
	}
}

func Routes(r *gin.Engine, members Members) {
	club := r.Group("/members", signedIn(members))
	club.DELETE("/:id", func(c *gin.Context) {
		id, err := strconv.ParseInt(c.Param("id"), 10, 64)
		if err != nil {
			c.AbortWithStatus(http.StatusBadRequest)
			return
		}
		if err := members.Remove(id); err != nil {
			c.AbortWithStatus(http.StatusInternalServerError)
			return
		}
		c.Status(http.StatusNoContent)
	})
}
