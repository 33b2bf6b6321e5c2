// A cell that displays by plotting and by gonbui, in turn.
package main

import (
	"github.com/janpfeifer/gonb/gonbui"

	"github.com/regbook/regbook/plotting"
)

func main() {
	defer gonbui.Sync()
	plotting.Show("first")
	gonbui.DisplayHTML("second")
	plotting.Show("third")
	gonbui.DisplayHTML("fourth")
}
