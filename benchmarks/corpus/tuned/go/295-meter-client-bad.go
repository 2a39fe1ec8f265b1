// Package meter reads the counters of the heating plants.
package meter

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

type Client struct {
	base *url.URL
	http *http.Client
}

type Reading struct {
	Plant string  `json:"plant"`
	KWh   float64 `json:"kwh"`
}

func New(base *url.URL) *Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}
	return &Client{base: base, http: &http.Client{Transport: transport, Timeout: 10 * time.Second}}
}

func (c *Client) Read(ctx context.Context, plant string) (*Reading, error) {
	target := c.base.JoinPath("readings", "latest")
	target.RawQuery = url.Values{"plant": {plant}}.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("plant %q: %s", plant, resp.Status)
	}
	var reading Reading
	if err := json.NewDecoder(resp.Body).Decode(&reading); err != nil {
		return nil, err
	}
	return &reading, nil
}
