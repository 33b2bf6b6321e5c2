package live

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
)

//go:embed data/scale.csv
var scaleRecord []byte

// ScaleRecord returns the seconds and the memory that a regression took on files of 10^4 to
// 10^7 flights: a frame of the columns route (memory or streamed), rows, bytes of the file,
// seconds on the clock, cpu (seconds of all processors together) and peak (bytes resident),
// and the machine that they were measured on. bench scale writes it.
func ScaleRecord() (record dataframe.DataFrame, machine string, err error) {
	first, _, _ := strings.Cut(string(scaleRecord), "\n")
	machine, _, _ = strings.Cut(strings.TrimPrefix(first, "# "), ";")
	c, err := frames.ParseCSV(bytes.NewReader(scaleRecord), &frames.CSVSettings{Comment: '#'})
	if err != nil {
		return dataframe.DataFrame{}, "", fmt.Errorf("live: %w", err)
	}
	return c.Frame, machine, nil
}
