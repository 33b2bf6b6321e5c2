module github.com/regbook/regbook/frames/source/parquet

go 1.24.4

require (
	github.com/go-gota/gota v0.12.0
	github.com/parquet-go/parquet-go v0.25.1
	github.com/regbook/regbook v0.0.0
)

require (
	github.com/andybalholm/brotli v1.1.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/klauspost/compress v1.17.9 // indirect
	github.com/pierrec/lz4/v4 v4.1.21 // indirect
	golang.org/x/net v0.48.0 // indirect
	golang.org/x/sys v0.39.0 // indirect
	golang.org/x/tools v0.39.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)

replace github.com/regbook/regbook => ../../..
