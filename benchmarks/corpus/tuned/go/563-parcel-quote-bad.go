package parcel

import "fmt"

type Zone int

const (
	Local Zone = iota
	National
	Abroad
)

var handling = map[Zone]float64{Local: 1.20, National: 2.40, Abroad: 6.90}

var perKilo = map[Zone]float64{Local: 0.35, National: 0.80, Abroad: 2.10}

// Quote tells what it costs to send a parcel: the handling and a share for its weight.
func Quote(zone Zone, kilos float64, insured bool) (float64, error) {
	if _, ok := handling[zone]; !ok {
		return 0, fmt.Errorf("zone %d is not served", zone)
	}
	price := handling[zone]
	price = perKilo[zone] * kilos
	if insured {
		price += 1.50
	}
	return price, nil
}
