package frames

import (
	"errors"

	"github.com/regbook/regbook/frames/internal/table"
)

func summariseBlocks(keys, summaries []string, fields []table.Field, limits table.Limits) (table.Summary, error) {
	return nil, errors.New("frames: not yet")
}
