//go:build unix

package engines

import (
	"errors"
	"os"
	"testing"
)

// started is a server that the tests share, started when one first needs it.
type started struct {
	start func() (*Server, error)
	s     *Server
	err   error
	done  bool
}

var (
	postgres   = &started{start: StartPostgreSQL}
	clickhouse = &started{start: StartClickHouse}
	mariadb    = &started{start: StartMariaDB}
)

// on returns the server, or skips the test where its programs are missing.
func (s *started) on(t *testing.T) *Server {
	t.Helper()
	if !s.done {
		s.s, s.err = s.start()
		s.done = true
	}
	switch {
	case errors.Is(s.err, ErrMissing):
		t.Skipf("not tested: %v", s.err)
	case s.err != nil:
		t.Fatal(s.err)
	}
	return s.s
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, s := range []*started{postgres, clickhouse, mariadb} {
		if s.s != nil {
			s.s.Close()
		}
	}
	os.Exit(code)
}

func TestServersAnswer(t *testing.T) {
	for name, server := range map[string]*started{"PostgreSQL": postgres, "ClickHouse": clickhouse, "MariaDB": mariadb} {
		t.Run(name, func(t *testing.T) {
			db, err := server.on(t).Open()
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			var version string
			if err := db.QueryRow("SELECT version()").Scan(&version); err != nil {
				t.Fatal(err)
			}
			t.Log(version)
			var one int
			if err := db.QueryRow("SELECT 1").Scan(&one); err != nil || one != 1 {
				t.Fatal(one, err)
			}
		})
	}
}
