package source

import (
	"database/sql"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MariaDB is the dialect from version 10.5 on, of tables that have transactions (InnoDB): passes are
// made in one read-only transaction, repeatable read. It has no infinite numbers. No transaction can undo
// CREATE TABLE there: a table is made under another name, and renamed when it is complete.
var MariaDB = &Dialect{
	Name:      "MariaDB",
	QuoteName: func(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" },
	QuoteText: func(text string) string {
		if strings.Contains(text, `\`) { // which escapes or not, as sql_mode says
			return fmt.Sprintf("_utf8mb4 x'%x'", text)
		}
		return standardText(text)
	},
	OneCase:  true,
	Reserved: mariadbReserved,
	Finite:   true,
	Decimals: true,
	Double:   between("CAST(", " AS DOUBLE)"),
	CastText: between("CAST(", " AS CHAR)"),
	AsText:   between("(CONVERT(", " USING utf8mb4) COLLATE utf8mb4_nopad_bin)"),

	Ln:         "ln",
	Power:      "power",
	NoNaN:      true,
	Inexact:    mariadbInexact,
	MaxTargets: 1000, // of 4,096, and of a thread's stack
	Overflow:   func(err error) bool { return strings.Contains(err.Error(), "value is out of range") },

	Adjust:       mariadbAdjust,
	TruthIsWhole: true,
	Days: func(c *TypedColumn) string {
		switch {
		case c.Kind == DateKind:
			return "CAST(DATEDIFF(" + c.Ref + ", DATE'1970-01-01') AS DOUBLE)"
		case c.Zone:
			return "(CAST(UNIX_TIMESTAMP(" + c.Ref + ") AS DOUBLE) / 86400e0)"
		}
		return "(CAST(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', " + c.Ref + ") AS DOUBLE) / 8.64e10)"
	},
	DatePart: func(part string, c *TypedColumn) string {
		x := mariadbUTC(c)
		switch {
		case part == "weekday":
			return "(WEEKDAY(" + x + ") + 1)"
		case part != "hour":
			return map[string]string{"year": "YEAR", "month": "MONTH", "day": "DAYOFMONTH", "yday": "DAYOFYEAR"}[part] + "(" + x + ")"
		}
		return fmt.Sprintf("(HOUR(%[1]s) + MINUTE(%[1]s) / 60e0 + (SECOND(%[1]s) + MICROSECOND(%[1]s) / 1e6) / 3600e0)", x)
	},
	Read: mariadbDate,

	RowHash: func(columns []*TypedColumn, seed uint64) string {
		all := fmt.Sprint(seed >> 1)
		for _, c := range columns {
			x := c.Ref
			switch c.Kind {
			case FloatKind:
				x = "CAST(CAST(" + x + " AS DOUBLE) AS CHAR)"
			case DateKind, TimeKind:
				x = mariadbDate(c)
			}
			all += ", QUOTE(" + x + ")"
		}
		return "CAST(CONV(SUBSTRING(MD5(CONCAT_WS(',', " + all + ")), 1, 15), 16, 10) AS UNSIGNED)"
	},
	HashSum: between("CAST(sum(", ") AS CHAR)"),

	Fence: " LIMIT 18446744073709551615", // a SELECT without is written into the other, once for every use

	Version:      "SELECT version()",
	Recognized:   func(version string) bool { return strings.Contains(version, "MariaDB") },
	Transaction:  &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true},
	CreatesAlone: true,
	Create: func(c *Creation) []string {
		return append([]string{"CREATE TABLE " + c.Made + " AS " + c.Select}, c.renames()...)
	},

	Storage: typesOf("DOUBLE", "BIGINT", "BOOLEAN", "LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin", "DATE", "DATETIME(6)"),
	Moment:  textMoment,
}

// mariadbReserved has the rules of its manual ("Identifier Names").
func mariadbReserved(name string) string {
	switch {
	case strings.HasSuffix(name, " "):
		return "ends with a blank, which MariaDB does not take"
	case utf8.RuneCountInString(name) > 64:
		return "has more than the 64 characters that MariaDB takes"
	case strings.ContainsFunc(name, func(r rune) bool { return r > 0xffff }):
		return "has a character beyond U+FFFF, which MariaDB does not take"
	}
	return ""
}

func mariadbAdjust(c *TypedColumn, word string) {
	if word == "UNSIGNED" {
		word = strings.TrimPrefix(strings.ToUpper(c.Declared), "UNSIGNED ")
	}
	switch word {
	case "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "YEAR":
		c.Kind, c.Cast = WholeKind, false
	case "BIGINT":
		c.Kind, c.Wide, c.Cast = WholeKind, true, false
	case "FLOAT", "DOUBLE":
		c.Kind, c.Cast = FloatKind, false
	case "DECIMAL":
		c.Kind, c.Decimal, c.Huge, c.Cast = FloatKind, true, true, false
	case "TINYTEXT", "MEDIUMTEXT", "LONGTEXT":
		c.Cast = false
	case "TIMESTAMP": // which is shown in the zone of the session
		c.Zone = true
	case "BINARY", "VARBINARY", "TINYBLOB", "MEDIUMBLOB", "LONGBLOB", "GEOMETRY":
		c.Kind = OtherKind
	}
}

// mariadbInexact casts no float beyond the largest BIGINT back.
func mariadbInexact(c *TypedColumn) string {
	x, most := c.Ref, "9223372036854774784"
	return "(" + wholeFloat(c) + "(" + x + " > " + most53 + " OR " + x + " < -" + most53 + ") AND (" + x + " > " + most + " OR " + x + " < -" + most +
		" OR CAST(CAST(" + x + " AS DOUBLE) AS SIGNED) <> " + x + "))"
}

// mariadbUTC is a time that does not depend on the zone of the session.
func mariadbUTC(c *TypedColumn) string {
	if c.Zone {
		return "(TIMESTAMP'1970-01-01 00:00:00' + INTERVAL UNIX_TIMESTAMP(" + c.Ref + ") SECOND)"
	}
	return c.Ref
}

// mariadbDate is a date as text, whatever the driver makes of dates.
func mariadbDate(c *TypedColumn) string {
	if c.Kind == DateKind {
		return "DATE_FORMAT(" + c.Ref + ", '%Y-%m-%d')"
	}
	return "TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM DATE_FORMAT(" + mariadbUTC(c) + ", '%Y-%m-%d %H:%i:%s.%f')))"
}
