package source

import (
	"database/sql"
	"reflect"
	"testing"

	"github.com/regbook/regbook/frames"
)

// A dialect that lacks a field which it needs is an error that names the field, before any query.
func TestDialectNeedsItsFields(t *testing.T) {
	r := &replay{}
	db := sql.OpenDB(r)
	defer db.Close()
	for _, name := range []string{"Name", "QuoteName", "QuoteText", "Double", "CastText", "AsText", "Ln", "Power", "Logarithm", "NotNumber", "Inexact", "MaxTargets",
		"Days", "DaysOff", "DatePart", "HashSum", "Version", "Recognized", "Create", "Storage", "Parameter", "Truth", "Moment"} {
		d := *PostgreSQL
		reflect.ValueOf(&d).Elem().FieldByName(name).SetZero()
		_, err := Open(ctx, db, &d, "t")
		want := name
		if name == "Name" {
			want = "there are PostgreSQL"
		}
		wantError(t, err, frames.ErrSetting, want)
	}
	if len(r.asked) > 0 {
		t.Errorf("asked %q", r.asked)
	}
	for _, d := range []*Dialect{PostgreSQL, DuckDB, ClickHouse, SQLite, MariaDB} {
		if err := d.check(); err != nil {
			t.Error(err)
		}
	}
}

// What a version tells depends on nothing else.
func TestSumsOfVersions(t *testing.T) {
	for version, want := range map[string]bool{"3.42.9": false, "3.43.0": true, "4.0": true, "": false} {
		if got := SQLite.Compensated(version); got != want {
			t.Errorf("sums of SQLite %q are compensated: %v", version, got)
		}
	}
}
