package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
)

type Sealer struct {
	block cipher.Block
	iv    []byte
}

func New(key []byte) (*Sealer, error) {
	if len(key) != 32 {
		return nil, errors.New("key of 32 bytes needed")
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return &Sealer{block: block, iv: make([]byte, aes.BlockSize)}, nil
}

func (s *Sealer) Seal(plain []byte) []byte {
	out := make([]byte, len(plain))
	cipher.NewCTR(s.block, s.iv).XORKeyStream(out, plain)
	return out
}
