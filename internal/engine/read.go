package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
)

// A reading says how a file is read. What is empty is guessed; "none" is no mark of thousands.
type reading struct {
	Delimiter string   `json:"delimiter"`
	Decimal   string   `json:"decimal"`
	Thousands string   `json:"thousands"`
	Encoding  string   `json:"encoding"`
	NA        []string `json:"na"`    // texts that are missing values, besides frames.DefaultNA
	Dates     string   `json:"dates"` // order of the dates that do not show it: dmy or mdy
}

// none says that a file has no mark of thousands.
const none = "none"

// A file is one that has been read, with how.
type file struct {
	csv     *frames.CSV
	reading reading
	code    string            // the settings of frames.ReadCSV, in Go
	clean   map[string]string // calls that read the cells of columns
	dates   map[string]string // orders of the dates of columns
}

// largest is the size of a file that the playground reads, in bytes: reading takes a multiple
// of it, and a page has some gigabytes.
const largest = 60 << 20

// sampled is how much of a file is tried in different ways.
const sampled = 128 << 10

// readFile reads a file as it is told to, and guesses what it is not told.
func readFile(text []byte, told reading) (*file, error) {
	// A large file has many small values, which nothing would free: collecting while it is read would take most of the time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	if len(text) > largest {
		return nil, fmt.Errorf("the file has %d MB; a page reads at most %d: install Regbook for more", len(text)>>20, largest>>20)
	}
	sample := text
	if len(text) > sampled {
		sample = text[:sampled]
		if end := bytes.LastIndexByte(sample, '\n'); end > 0 {
			sample = sample[:end+1]
		}
		if len(sample)%2 != 0 && (bytes.HasPrefix(sample, []byte("\xff\xfe")) || bytes.HasPrefix(sample, []byte("\xfe\xff"))) {
			sample = text[:len(sample)+1]
		}
	}
	f := &file{reading: told}
	settings, err := f.guess(sample)
	if err != nil {
		return nil, err
	}
	if f.csv, err = frames.ParseCSV(bytes.NewReader(text), settings); err != nil {
		return nil, inFields(err)
	}
	f.reading.Delimiter = string(f.csv.Report.Delimiter)
	f.code = f.settingsCode()
	return f, nil
}

// settings returns those of the reading, without the marks of missing values that are guessed.
func (r reading) settings() *frames.CSVSettings {
	one := func(mark string) rune {
		for _, c := range mark {
			return c
		}
		return 0
	}
	s := &frames.CSVSettings{Delimiter: one(r.Delimiter), Decimal: one(r.Decimal), Encoding: r.Encoding}
	if r.Thousands != none {
		s.Thousands = one(r.Thousands)
	}
	if r.NA != nil {
		s.NA = slices.Concat(frames.DefaultNA, r.NA)
	}
	return s
}

// otherNA are texts that spreadsheets and people write where a value is missing.
var otherNA = []string{"-", "--", "—", "–", "n.a.", "N.A.", "na", "Na", "missing", "Missing", "none", "None", "unknown", "Unknown", "k.A.", "k. A.", "#DIV/0!", "#VALUE!", "#NUM!", "#REF!", "nil", "*"}

// guess fills the fields of the reading that are empty, from the beginning of the file, and returns the settings.
func (f *file) guess(sample []byte) (*frames.CSVSettings, error) {
	r := &f.reading
	csv, err := f.guessMarks(sample)
	if err != nil {
		return nil, err
	}
	if r.NA == nil {
		with := *r
		with.NA = otherNA
		if other, err := parsed(sample, with.settings()); err == nil && numeric(other) > numeric(csv) {
			for _, c := range other.Report.Columns {
				for _, m := range c.Marks {
					if slices.Contains(otherNA, m.Cell) && !slices.Contains(r.NA, m.Cell) {
						r.NA = append(r.NA, m.Cell)
					}
				}
			}
			csv = other
		}
		if r.NA == nil {
			r.NA = []string{}
		}
	}
	settings := r.settings()
	if len(r.NA) == 0 {
		settings.NA = nil
	}
	f.cleanUnits(csv, settings)
	f.orderDates(csv, settings)
	return settings, nil
}

// guessMarks finds the marks with which the most columns are numbers, those first that are most common.
func (f *file) guessMarks(sample []byte) (*frames.CSV, error) {
	told := f.reading
	choices := func(given string, all ...string) []string {
		if given != "" {
			return []string{given}
		}
		return all
	}
	var best *frames.CSV
	var first error
	// A mark that no cell has changes nothing.
	inCells := func(mark string) bool {
		if best != nil && mark == string(best.Report.Delimiter) && !bytes.Contains(sample, []byte{'"'}) {
			return false
		}
		return mark == none || bytes.Contains(sample, []byte(mark)) || mark == " " && bytes.ContainsFunc(sample, func(c rune) bool { return c >= utf8.RuneSelf })
	}
	for _, decimal := range choices(told.Decimal, ".", ",") {
		for _, thousands := range choices(told.Thousands, none, ",", ".", " ", "'") {
			if decimal == thousands || best != nil && (told.Decimal == "" && !inCells(decimal) || told.Thousands == "" && !inCells(thousands)) {
				continue
			}
			try := told
			try.Decimal, try.Thousands = decimal, thousands
			csv, err := parsed(sample, try.settings())
			if err != nil {
				first = cmp.Or(first, err)
				continue
			}
			if best == nil || numeric(csv) > numeric(best) {
				best = csv
				f.reading.Decimal, f.reading.Thousands = decimal, thousands
			}
		}
	}
	if best == nil {
		return nil, inFields(first)
	}
	return best, nil
}

func parsed(text []byte, settings *frames.CSVSettings) (*frames.CSV, error) {
	return frames.ParseCSV(bytes.NewReader(text), settings)
}

// numeric counts the columns of numbers, and those of amounts and shares, which are numbers with a unit. A column
// that is missing throughout does not count.
func numeric(csv *frames.CSV) int {
	n := 0
	for _, c := range csv.Report.Columns {
		if (c.Type == series.Int || c.Type == series.Float) && c.Missing < csv.Report.Rows || unitOf.MatchString(c.Note) {
			n++
		}
	}
	return n
}

var unitOf = regexp.MustCompile(`frames\.(Percent|Currency)\(("[^"]*", )?'(.)'\)`)

// cleanUnits reads shares in percent and amounts of money as numbers, as the report on the sample says.
func (f *file) cleanUnits(csv *frames.CSV, settings *frames.CSVSettings) {
	f.clean = map[string]string{}
	for _, c := range csv.Report.Columns {
		m := unitOf.FindStringSubmatch(c.Note)
		if m == nil {
			continue
		}
		if settings.Clean == nil {
			settings.Clean = map[string]func(string) string{}
		}
		decimal := []rune(m[3])[0]
		if strings.Contains(c.Note, "if the decimal mark is a comma") {
			decimal = []rune(f.reading.Decimal)[0]
			m[0] = strings.Replace(m[0], "'.'", fmt.Sprintf("%q", decimal), 1)
		}
		if m[1] == "Percent" {
			settings.Clean[c.Name] = frames.Percent(decimal)
		} else {
			settings.Clean[c.Name] = frames.Currency(strings.Trim(m[2], `", `), decimal)
		}
		f.clean[c.Name] = m[0]
	}
}

// orderDates says of dates that leave it open whether the day comes first: where numbers have a comma it does.
func (f *file) orderDates(csv *frames.CSV, settings *frames.CSVSettings) {
	for _, c := range csv.Report.Columns {
		if !strings.Contains(c.Note, "CSVSettings.Dates") {
			continue
		}
		if f.reading.Dates == "" {
			f.reading.Dates = "mdy"
			if f.reading.Decimal == "," {
				f.reading.Dates = "dmy"
			}
		}
		if settings.Dates == nil {
			settings.Dates = map[string]string{}
		}
		settings.Dates[c.Name] = f.reading.Dates
	}
	f.dates = settings.Dates
}

// settingsCode is the reading as settings of frames.ReadCSV, nil for the defaults.
func (f *file) settingsCode() string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	r := f.reading
	if r.Delimiter != "," && r.Delimiter != "" {
		add("Delimiter: %q", []rune(r.Delimiter)[0])
	}
	if r.Decimal != "." {
		add("Decimal: %q", []rune(r.Decimal)[0])
	}
	if r.Thousands != none {
		add("Thousands: %q", []rune(r.Thousands)[0])
	}
	if r.Encoding != "" {
		add("Encoding: %q", r.Encoding)
	}
	if len(r.NA) > 0 {
		var texts []string
		for _, text := range r.NA {
			texts = append(texts, fmt.Sprintf("%q", text))
		}
		add("NA: append(slices.Clone(frames.DefaultNA), %s)", strings.Join(texts, ", "))
	}
	// ofColumns writes a setting of columns, in the order of the file.
	ofColumns := func(setting, format string, values map[string]string) {
		var cells []string
		for _, c := range f.csv.Report.Columns {
			if v, ok := values[c.Name]; ok {
				cells = append(cells, fmt.Sprintf("%q: "+format, c.Name, v))
			}
		}
		if cells != nil {
			add("%s{%s}", setting, strings.Join(cells, ", "))
		}
	}
	ofColumns("Clean: map[string]func(string) string", "%s", f.clean)
	ofColumns("Dates: map[string]string", "%q", f.dates)
	if parts == nil {
		return "nil"
	}
	return "&frames.CSVSettings{" + strings.Join(parts, ", ") + "}"
}

// fields are what the page calls what Go settings are called in messages.
var fields = strings.NewReplacer(
	"CSVSettings.Decimal", `"Decimal mark"`, "CSVSettings.Thousands", `"Thousands"`, "CSVSettings.Delimiter", `"Separator"`,
	"CSVSettings.Encoding", `"Encoding"`, "CSVSettings.NA", `"Missing"`, "CSVSettings.Dates", `"Dates"`,
	"Decimal or Thousands", `"Decimal mark" or "Thousands"`, "; to read percentages, set CSVSettings.Clean to frames.Percent('.')", "",
	"OLSSettings.Aliased", "a setting of a notebook", "frames: ", "", "mlreg: ", "",
)

// inFields says an error in the words of the page.
func inFields(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(fields.Replace(err.Error()))
}
