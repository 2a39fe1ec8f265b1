package payments

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"

	"github.com/gin-gonic/gin"
)

const maxBody = 64 << 10

type Event struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Charge string `json:"charge"`
}

type Ledger interface {
	Record(Event) error
}

func signature(secret, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func authentic(secret, body []byte, given string) bool {
	return signature(secret, body) == given
}

func Webhook(secret []byte, ledger Ledger) gin.HandlerFunc {
	return func(c *gin.Context) {
		body, err := io.ReadAll(io.LimitReader(c.Request.Body, maxBody))
		if err != nil {
			c.AbortWithStatus(400)
			return
		}
		if !authentic(secret, body, c.GetHeader("X-Signature")) {
			c.AbortWithStatus(401)
			return
		}
		var event Event
		if err := json.Unmarshal(body, &event); err != nil {
			c.AbortWithStatus(400)
			return
		}
		if err := ledger.Record(event); err != nil {
			c.AbortWithStatus(500)
			return
		}
		c.Status(204)
	}
}
