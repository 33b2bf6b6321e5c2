package datasets

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/regbook/regbook/internal/wholefile"
	"github.com/regbook/regbook/mlreg"
)

// flightCarriers are the carriers of WriteFlights: how many of a hundred flights they fly,
// and by how many minutes they are late.
var flightCarriers = []struct {
	name  string
	share int
	late  float64
}{{"AA", 24, 0}, {"B6", 12, 4}, {"DL", 22, -3}, {"HA", 4, -7}, {"NK", 9, 8}, {"UA", 18, 1}, {"WN", 11, 2}}

// WriteFlights simulates n flights and writes them to a file as CSV, n rows and a header,
// about 28 bytes a row, without holding them in memory. The columns are
//
//	carrier   one of 7, of unequal shares
//	month     1 to 12
//	hour      of departure, 6 to 22
//	distance  in miles, log-normal, between 100 and 5000
//	seats     of the aircraft; larger on longer routes
//	wind      against the flight, in knots
//	delay     of the arrival, in minutes; 1 in 100 is missing (the flight was cancelled)
//	late      1 if the delay is 15 minutes or more
//
// and the delay is
//
//	delay = -8 + carrier + 0.09 (hour-6)^2 - 0.004 distance + 0.25 wind + 3 cos(2 pi (month-7)/12) + noise
//
// with the carriers' minutes AA 0, B6 4, DL -3, HA -7, NK 8, UA 1, WN 2 and noise of mean 0
// and standard deviation 12. The seats have no effect.
// The error matches mlreg.ErrSetting if n is below 1. A file that exists is replaced when
// all is written. More than 10^9 rows are mlreg.ErrTooLarge.
func WriteFlights(path string, n int, src rand.Source) error {
	if n < 1 {
		return fmt.Errorf("datasets: %w: %d flights; at least 1 is needed", mlreg.ErrSetting, n)
	}
	if src == nil {
		return fmt.Errorf("datasets: %w: no source of random numbers", mlreg.ErrSetting)
	}
	if float64(n) > 1e9 {
		return fmt.Errorf("datasets: %w: a file of %d flights; at most 10^9 are written, 30 GB", mlreg.ErrTooLarge, n)
	}
	err := wholefile.Write(path, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		if _, err := out.WriteString("carrier,month,hour,distance,seats,wind,delay,late\n"); err != nil {
			return err
		}
		rng := rand.New(src)
		var line []byte
		for range n {
			line = flight(line[:0], rng)
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
		return out.Flush()
	})
	if err != nil {
		return fmt.Errorf("datasets: %w", err)
	}
	return nil
}

// flight appends a flight as a line.
func flight(line []byte, rng *rand.Rand) []byte {
	k, share := 0, rng.IntN(100)
	for share >= flightCarriers[k].share {
		share -= flightCarriers[k].share
		k++
	}
	month, hour := 1+rng.IntN(12), 6+rng.IntN(17)
	distance := math.Round(min(max(math.Exp(6.7+0.6*rng.NormFloat64()), 100), 5000))
	seats := 50 + 10*int(min(distance/250, 20)+3*rng.Float64())
	wind := math.Round(10*(15+20*rng.NormFloat64())) / 10
	late := flightCarriers[k].late
	mean := -8 + late + 0.09*float64((hour-6)*(hour-6)) - 0.004*distance + 0.25*wind + 3*math.Cos(2*math.Pi*float64(month-7)/12)
	delay := math.Round(10*(mean+12*rng.NormFloat64())) / 10
	canceled := rng.IntN(100) == 0

	line = append(append(line, flightCarriers[k].name...), ',')
	for _, v := range []int{month, hour, int(distance), seats} {
		line = append(strconv.AppendInt(line, int64(v), 10), ',')
	}
	line = append(strconv.AppendFloat(line, wind, 'f', 1, 64), ',')
	if canceled {
		return append(line, "NA,NA\n"...)
	}
	line = append(strconv.AppendFloat(line, delay, 'f', 1, 64), ',')
	if delay >= 15 {
		return append(line, "1\n"...)
	}
	return append(line, "0\n"...)
}
