// A program that does not have package pdf.
package main

import (
	"fmt"

	"github.com/regbook/regbook/plotting"
)

func main() { fmt.Print(plotting.Grid(1, plotting.New("", "", "")).Save("figure.pdf")) }
