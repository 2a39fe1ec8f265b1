package box

import (
	"crypto/cipher"
	"crypto/des"
	"crypto/rand"
	"errors"
	"io"
)

var ErrKey = errors.New("box: unusable key")

// Seal prepends the random start value to the encrypted text.
func Seal(key, plain []byte) ([]byte, error) {
	block, err := des.NewTripleDESCipher(key)
	if err != nil {
		return nil, ErrKey
	}
	out := make([]byte, des.BlockSize+len(plain))
	iv := out[:des.BlockSize]
	if _, err := io.ReadFull(rand.Reader, iv); err != nil {
		return nil, err
	}
	cipher.NewCTR(block, iv).XORKeyStream(out[des.BlockSize:], plain)
	return out, nil
}
