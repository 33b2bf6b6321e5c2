module github.com/regbook/regbook

go 1.24.0

require (
	github.com/go-gota/gota v0.12.0
	github.com/janpfeifer/gonb v0.11.4
	github.com/janpfeifer/must v0.2.0
	gonum.org/v1/gonum v0.17.0
	gonum.org/v1/plot v0.17.0
)
