//go:build unix

package engines

import (
	"database/sql"
	"testing"

	"github.com/regbook/regbook/frames/source/sourcetest"
)

// Every dialect passes the test that whoever writes one runs.
func TestDialects(t *testing.T) {
	onEach(t, func(t *testing.T, d database, db *sql.DB) { sourcetest.Run(t, d.dialect, db) })
}
