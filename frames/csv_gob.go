package frames

import (
	"bytes"
	"encoding/gob"

	stored "github.com/regbook/regbook/internal/keep/frame"
)

// GobEncode implements gob.GobEncoder: the report by gob, and the frame.
func (c *CSV) GobEncode() ([]byte, error) {
	frame, err := stored.Encode(c.Frame)
	if err != nil {
		return nil, errorf(ErrCSV, "%v", err)
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(c.Report); err != nil {
		return nil, err
	}
	return append(b.Bytes(), frame...), nil
}

// GobDecode implements gob.GobDecoder.
func (c *CSV) GobDecode(b []byte) error {
	in := bytes.NewReader(b)
	var report CSVReport
	if err := gob.NewDecoder(in).Decode(&report); err != nil {
		return errorf(ErrCSV, "the bytes do not hold a table: %v", err)
	}
	frame, err := stored.Decode(b[len(b)-in.Len():])
	if err != nil {
		return errorf(ErrCSV, "%v", err)
	}
	c.Frame, c.Report = frame, report
	return nil
}
