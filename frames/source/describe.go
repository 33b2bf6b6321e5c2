package source

// Description describes the columns of a source.
type Description struct {
	Rows int
}
