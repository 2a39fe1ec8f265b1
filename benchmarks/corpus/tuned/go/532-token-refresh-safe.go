package sync

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
)

type grant struct {
	AccessToken string `json:"access_token"`
	ExpiresIn   int    `json:"expires_in"`
	Scope       string `json:"scope"`
}

type Refresher struct {
	Endpoint     string
	ClientID     string
	RefreshToken func() string
	HTTP         *http.Client
	Log          *slog.Logger
}

func (r *Refresher) Refresh(ctx context.Context) (string, time.Time, error) {
	form := url.Values{"grant_type": {"refresh_token"}, "client_id": {r.ClientID}, "refresh_token": {r.RefreshToken()}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.Endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return "", time.Time{}, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := r.HTTP.Do(req)
	if err != nil {
		return "", time.Time{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", time.Time{}, fmt.Errorf("token endpoint answered %s", resp.Status)
	}
	var g grant
	if err := json.NewDecoder(resp.Body).Decode(&g); err != nil {
		return "", time.Time{}, err
	}
	until := time.Now().Add(time.Duration(g.ExpiresIn) * time.Second)
	r.Log.Info("token refreshed", "client", r.ClientID, "scope", g.Scope, "until", until)
	return g.AccessToken, until, nil
}
