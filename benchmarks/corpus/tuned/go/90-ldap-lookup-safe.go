package directory

import (
	"errors"
	"fmt"

	"github.com/go-ldap/ldap/v3"
)

type Directory struct {
	conn *ldap.Conn
	base string
}

func (d *Directory) Lookup(login string) (string, error) {
	req := ldap.NewSearchRequest(
		d.base, ldap.ScopeWholeSubtree, ldap.NeverDerefAliases, 0, 0, false,
		fmt.Sprintf("(&(objectClass=person)(uid=%s))", ldap.EscapeFilter(login)),
		[]string{"dn", "mail"}, nil,
	)
	res, err := d.conn.Search(req)
	if err != nil {
		return "", err
	}
	if len(res.Entries) != 1 {
		return "", errors.New("not found")
	}
	return res.Entries[0].DN, nil
}
