package mlreg

import (
	"bytes"
	"compress/gzip"
	"encoding/gob"
	"flag"
	"fmt"
	"os"
	"reflect"
	"testing"
)

// go test ./mlreg -run StreamsOfVersion -store stores the streams of results that
// testdata/streams1.gob.gz does not have; those that it has stay as they were written.
var store = flag.Bool("store", false, "store streams of results that have none in testdata, and what all say now")

const storedStreams = "testdata/streams1.gob.gz" // of streamVersion 1

// storedStream is a result as a version has written it.
type storedStream struct {
	Stream []byte
	Text   string // what it said
}

// streamable are pointers to results of every type that stores itself, by name.
func streamable(t *testing.T) map[string]reflect.Value {
	found := map[string]reflect.Value{}
	for _, v := range gobResults(t) {
		for _, p := range structs(reflect.ValueOf(v)) {
			if _, ok := p.Interface().(gob.GobEncoder); ok {
				if name := streamName(p.Interface()); !found[name].IsValid() {
					found[name] = p
				}
			}
		}
	}
	return found
}

// said is what a result says of itself, "" if it does not.
func said(v any) string {
	if s, ok := v.(fmt.Stringer); ok {
		return s.String()
	}
	return ""
}

// Streams that were written before are read by this version, and say what they said.
func TestStreamsOfVersion1(t *testing.T) {
	stored := map[string]storedStream{}
	if b, err := os.ReadFile(storedStreams); err == nil {
		z := get(gzip.NewReader(bytes.NewReader(b)))(t)
		if err := gob.NewDecoder(z).Decode(&stored); err != nil {
			t.Fatal(err)
		}
	} else if !*store {
		t.Fatal(err)
	}
	now := streamable(t)
	var more []string
	for name, old := range stored {
		p, ok := now[name]
		if !ok {
			t.Errorf("%s is stored, and no result has this name now", name)
			continue
		}
		back := reflect.New(p.Type().Elem())
		if err := back.Interface().(gob.GobDecoder).GobDecode(old.Stream); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := said(back.Interface()); got != old.Text {
			if *store { // in other words: the stream stays what it was
				stored[name] = storedStream{old.Stream, got}
				more = append(more, name)
				continue
			}
			t.Errorf("%s says\n%s\nand said\n%s", name, got, old.Text)
		}
	}
	for name, p := range now {
		if _, ok := stored[name]; !ok {
			b := get(p.Interface().(gob.GobEncoder).GobEncode())(t)
			stored[name] = storedStream{b, said(p.Interface())}
			more = append(more, name)
		}
	}
	if len(more) == 0 {
		return
	}
	if !*store {
		t.Errorf("not stored: %q; go test ./mlreg -run StreamsOfVersion -store stores them", more)
		return
	}
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	if err := gob.NewEncoder(z).Encode(stored); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(storedStreams, buf.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
