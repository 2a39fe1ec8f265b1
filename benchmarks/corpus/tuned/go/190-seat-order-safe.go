package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
)

const (
	seatPrice = 4250
	maxSeats  = 500
)

type order struct {
	seats int32
	cents int64
}

func parseOrder(text string) (order, error) {
	count, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return order{}, err
	}
	if count <= 0 || count > maxSeats {
		return order{}, errors.New("the number of seats is out of range")
	}
	seats := int32(count)
	return order{seats: seats, cents: int64(seats) * seatPrice}, nil
}

func run(args []string) error {
	var total int64
	for _, arg := range args {
		o, err := parseOrder(arg)
		if err != nil {
			return fmt.Errorf("order %q: %w", arg, err)
		}
		total += o.cents
		fmt.Printf("%5d seats  %10.2f\n", o.seats, float64(o.cents)/100)
	}
	fmt.Printf("      total  %10.2f\n", float64(total)/100)
	return nil
}

func main() {
	flag.Parse()
	if err := run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
