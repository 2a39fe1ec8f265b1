package forecast

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

type Day struct {
	Date string  `json:"date"`
	High float64 `json:"high"`
	Low  float64 `json:"low"`
}

type Client struct {
	HTTP *http.Client
	Base string
}

func (c *Client) Days(ctx context.Context, station int) ([]Day, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/stations/%d", c.Base, station), nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("forecast: status %d", resp.StatusCode)
	}
	var days []Day
	if err := json.NewDecoder(resp.Body).Decode(&days); err != nil {
		return nil, err
	}
	return days, nil
}
