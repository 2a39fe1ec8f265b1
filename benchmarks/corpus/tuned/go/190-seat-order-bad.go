package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
)

const seatPrice = 4250

type order struct {
	seats int32
	cents int64
}

func parseOrder(text string) (order, error) {
	count, err := strconv.Atoi(text)
	if err != nil {
		return order{}, err
	}
	if count <= 0 {
		return order{}, errors.New("at least one seat is needed")
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
