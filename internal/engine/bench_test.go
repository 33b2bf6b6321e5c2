package main

import (
	"encoding/json"
	"testing"

	"github.com/regbook/regbook/course/live"
)

// BenchmarkMove has a slider of each explorable move from place to place: what computes, what draws and all of an
// answer.
func BenchmarkMove(b *testing.B) {
	for _, e := range live.All() {
		at := func(i int) []float64 {
			values := e.Defaults()
			p := e.Params[0]
			if p.Values != nil {
				values[0] = p.Values[i%len(p.Values)]
			} else {
				values[0] = p.Min + (p.Max-p.Min)*float64(i%8)/8
			}
			return values
		}
		b.Run(e.ID+"/view", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, err := e.Draw(at(i), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(e.ID+"/svg", func(b *testing.B) {
			view, err := e.Draw(nil, nil)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := view.Figure.SVG(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(e.ID+"/answer", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				text, err := json.Marshal(request{Do: "draw", Name: e.Func, Values: at(i)})
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(reply(text, nil))))
			}
		})
	}
}
