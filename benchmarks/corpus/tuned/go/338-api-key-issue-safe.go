package keys

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"math/big"
	"time"
)

const letters = "abcdefghijklmnopqrstuvwxyz0123456789"

type Store interface {
	SaveKeyDigest(ctx context.Context, owner int64, digest [32]byte, until time.Time) error
}

type Issuer struct {
	store Store
}

func NewIssuer(store Store) *Issuer {
	return &Issuer{store: store}
}

// Issue makes an API key for the owner; only its digest is kept.
func (i *Issuer) Issue(ctx context.Context, owner int64) (string, error) {
	raw := make([]byte, 40)
	for n := range raw {
		pick, err := rand.Int(rand.Reader, big.NewInt(int64(len(letters))))
		if err != nil {
			return "", err
		}
		raw[n] = letters[pick.Int64()]
	}
	key := "ak_" + string(raw)
	until := time.Now().AddDate(1, 0, 0)
	if err := i.store.SaveKeyDigest(ctx, owner, sha256.Sum256([]byte(key)), until); err != nil {
		return "", err
	}
	return key, nil
}
