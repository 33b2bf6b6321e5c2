//go:build with

package main

import _ "github.com/regbook/regbook/plotting/withgonbui"
