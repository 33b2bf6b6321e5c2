// Package withgonbui lets a cell use package plotting and GoNB's own package gonbui
// at once. The kernel reads the messages of one client, and plotting has a small one
// of its own, which links quickly. With the import
//
//	import _ "github.com/regbook/regbook/plotting/withgonbui"
//
// in the cell, plotting sends its outputs by gonbui, in one order with those of
// gonbui's functions. Without it, Show returns an error in a program that contains gonbui.
package withgonbui

import (
	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/regbook/regbook/plotting/internal/gonb"
)

func init() { gonb.Use(client{}) }

type client struct{}

func (client) Send(d *protocol.DisplayData) error {
	gonbui.SendData(d)
	return gonbui.Error()
}

func (client) Sync() error {
	gonbui.Sync()
	return gonbui.Error()
}
