package auth

import (
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func Issue(user string, key []byte) (string, error) {
	claims := jwt.MapClaims{"sub": user, "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix()}
	return jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString(key)
}
