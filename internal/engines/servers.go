//go:build unix

// Package engines tests package frames/source on real databases: DuckDB, which
// it links, and PostgreSQL, MariaDB and a ClickHouse of two shards, which it starts for
// itself on loopback, in a folder that it removes, as a user without rights. Where
// the programs of a server are missing, its tests say so and are skipped.
//
// It is a module of its own: the drivers stay out of Regbook's requirements.
package engines

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ErrMissing says that the programs of a server are not installed.
var ErrMissing = errors.New("not installed")

// Server is a running database server.
type Server struct {
	Driver string   // of database/sql
	DSN    string   // of the server's database
	Shards []string // of ClickHouse
	HTTP   []string // addresses of its shards, with user and password
	stop   []func()
	as     *syscall.Credential // whose processes they are, nil for the user of this one
	dir    string
	procs  []*exec.Cmd
}

// Open connects.
func (s *Server) Open() (*sql.DB, error) { return sql.Open(s.Driver, s.DSN) }

// Processes returns the processes that were started, by their numbers.
func (s *Server) Processes() []int {
	var all []int
	for _, p := range s.procs {
		all = append(all, p.Process.Pid)
	}
	return all
}

// Kill ends process k of the server at once, as a crash would. PostgreSQL's processes
// would outlive the one that started them: it is told to end them.
func (s *Server) Kill(k int) error {
	end := os.Signal(syscall.SIGKILL)
	if s.Driver == "pgx" {
		end = syscall.SIGQUIT
	}
	if err := s.procs[k].Process.Signal(end); err != nil {
		return err
	}
	s.procs[k].Wait()
	return nil
}

// Close ends the server and removes its folder.
func (s *Server) Close() error {
	for _, stop := range slices.Backward(s.stop) {
		stop()
	}
	return os.RemoveAll(s.dir)
}

// find returns the path of a program.
func find(program string, folders ...string) (string, error) {
	if path, err := exec.LookPath(program); err == nil {
		return path, nil
	}
	for _, pattern := range folders {
		found, _ := filepath.Glob(filepath.Join(pattern, program)) // fails for a bad pattern only
		if len(found) > 0 {
			return found[len(found)-1], nil
		}
	}
	return "", fmt.Errorf("%s is %w", program, ErrMissing)
}

// unprivileged is who runs a server if this is root, which they refuse: its user, or nobody.
func unprivileged(name string) (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{name, "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, fmt.Errorf("a user without rights to run the server is %w", ErrMissing)
}

// begin makes a server of a user in a folder of its own, and has f start it.
func begin(driver, user string, f func(s *Server) error) (*Server, error) {
	as, err := unprivileged(user)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "regbook-engine-")
	if err != nil {
		return nil, err
	}
	s := &Server{Driver: driver, as: as, dir: dir}
	if err = s.own(dir); err == nil {
		err = f(s)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// own gives a folder to the user of the server.
func (s *Server) own(dir string) error {
	if s.as == nil {
		return nil
	}
	return os.Chown(dir, int(s.as.Uid), int(s.as.Gid))
}

// command is a command of the user of the server, in its folder.
func (s *Server) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.SysProcAttr = s.dir, attributes(s.as)
	return cmd
}

// run runs a command to its end.
func (s *Server) run(program string, args ...string) error {
	if out, err := s.command(program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(program), err, out)
	}
	return nil
}

// ports returns free ports of the loopback.
func ports(n int) ([]int, error) {
	var found []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close() // after all were found, so that they differ
		found = append(found, l.Addr().(*net.TCPAddr).Port)
	}
	return found, nil
}

// start starts a process of the server, and has Close end it.
func (s *Server) start(program string, args ...string) error {
	cmd := s.command(program, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	if err := cmd.Start(); err != nil {
		return err
	}
	s.procs = append(s.procs, cmd)
	s.stop = append(s.stop, func() {
		cmd.Process.Signal(syscall.SIGINT) // it may have ended already
		done := make(chan struct{})
		go func() { cmd.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			cmd.Process.Kill()
			<-done
		}
	})
	return nil
}

// ready waits until the server answers at a DSN.
func (s *Server) ready(dsn string) error {
	db, err := sql.Open(s.Driver, dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	for range 100 {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		err = db.PingContext(ctx)
		cancel()
		if err == nil {
			return nil
		}
		time.Sleep(200 * time.Millisecond)
	}
	return fmt.Errorf("the server does not answer: %w", err)
}

// Password is that of the servers' user, which no error may show.
const Password = "s3cret-w0rd"

// StartPostgreSQL starts a cluster of its own. ErrMissing if PostgreSQL is not
// installed.
func StartPostgreSQL() (*Server, error) {
	folders := []string{"/usr/lib/postgresql/*/bin", "/opt/homebrew/bin", "/usr/local/pgsql/bin"}
	initdb, err := find("initdb", folders...)
	if err != nil {
		return nil, err
	}
	postgres, err := find("postgres", folders...)
	if err != nil {
		return nil, err
	}
	return begin("pgx", "postgres", func(s *Server) error {
		word := filepath.Join(s.dir, "password")
		if err := os.WriteFile(word, []byte(Password), 0o644); err != nil {
			return err
		}
		data := filepath.Join(s.dir, "data")
		if err := s.run(initdb, "-D", data, "-U", "regbook", "--pwfile", word, "-A", "scram-sha-256", "--no-sync", "-E", "UTF8", "--locale", "C.UTF-8"); err != nil {
			return err
		}
		port, err := ports(1)
		if err != nil {
			return err
		}
		if err := s.start(postgres, "-D", data, "-h", "127.0.0.1", "-p", strconv.Itoa(port[0]), "-k", s.dir, "-c", "fsync=off", "-c", "logging_collector=on"); err != nil {
			return err
		}
		s.DSN = fmt.Sprintf("postgres://regbook:%s@127.0.0.1:%d/postgres?sslmode=disable", Password, port[0])
		return s.ready(s.DSN)
	})
}

// StartMariaDB starts a server of its own. ErrMissing if MariaDB is not installed.
func StartMariaDB() (*Server, error) {
	folders := []string{"/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"}
	install, err := find("mariadb-install-db", folders...)
	if err != nil {
		return nil, err
	}
	program, err := find("mariadbd", folders...)
	if err != nil {
		return nil, err
	}
	return begin("mysql", "mysql", func(s *Server) error {
		data, users := filepath.Join(s.dir, "data"), filepath.Join(s.dir, "users.sql")
		if err := s.run(install, "--no-defaults", "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db"); err != nil {
			return err
		}
		text := "CREATE DATABASE regbook CHARACTER SET utf8mb4;\nCREATE USER 'regbook'@'127.0.0.1' IDENTIFIED BY '" + Password + "';\nGRANT ALL ON regbook.* TO 'regbook'@'127.0.0.1';\n"
		if err := os.WriteFile(users, []byte(text), 0o644); err != nil {
			return err
		}
		port, err := ports(1)
		if err != nil {
			return err
		}
		if err := s.start(program, "--no-defaults", "--datadir="+data, "--socket="+filepath.Join(s.dir, "socket"), "--pid-file="+filepath.Join(s.dir, "pid"), "--bind-address=127.0.0.1", "--port="+strconv.Itoa(port[0]),
			"--skip-name-resolve", "--init-file="+users, "--innodb-flush-log-at-trx-commit=0", "--log-error="+filepath.Join(s.dir, "errors")); err != nil {
			return err
		}
		s.DSN = fmt.Sprintf("regbook:%s@tcp(127.0.0.1:%d)/regbook", Password, port[0])
		return s.ready(s.DSN)
	})
}

// StartClickHouse starts a cluster of two shards, "two" in queries. ErrMissing if
// ClickHouse is not installed.
func StartClickHouse() (*Server, error) {
	program, err := find("clickhouse-server", "/usr/sbin", "/usr/bin")
	args := []string{}
	if err != nil {
		if program, err = find("clickhouse"); err != nil {
			return nil, err
		}
		args = []string{"server"}
	}
	return begin("clickhouse", "clickhouse", func(s *Server) error {
		port, err := ports(6)
		if err != nil {
			return err
		}
		var shards strings.Builder
		for k := range 2 {
			fmt.Fprintf(&shards, "<shard><replica><host>127.0.0.1</host><port>%d</port><user>regbook</user><password>%s</password></replica></shard>", port[3*k], Password)
		}
		for k := range 2 {
			home := filepath.Join(s.dir, fmt.Sprint("shard", k))
			if err := os.Mkdir(home, 0o755); err != nil {
				return err
			}
			if err := configureShard(home, port[3*k:3*k+3], shards.String()); err != nil {
				return err
			}
			if err := s.own(home); err != nil {
				return err
			}
			if err := s.start(program, append(args, "--config-file="+filepath.Join(home, "config.xml"))...); err != nil {
				return err
			}
			s.HTTP = append(s.HTTP, fmt.Sprintf("http://127.0.0.1:%d/?user=regbook&password=%s", port[3*k+1], Password))
			s.Shards = append(s.Shards, fmt.Sprintf("clickhouse://regbook:%s@127.0.0.1:%d/default", Password, port[3*k]))
		}
		for _, dsn := range s.Shards {
			if err := s.ready(dsn); err != nil {
				return err
			}
		}
		s.DSN = s.Shards[0]
		return nil
	})
}

// configureShard writes the configuration of a shard, whose ports are those of TCP, HTTP and the other servers.
func configureShard(home string, port []int, shards string) error {
	config := fmt.Sprintf(`<yandex>
<logger><level>warning</level><log>%[1]s/log</log><errorlog>%[1]s/errors</errorlog></logger>
<tcp_port>%[2]d</tcp_port><http_port>%[3]d</http_port><interserver_http_port>%[4]d</interserver_http_port>
<listen_host>127.0.0.1</listen_host><path>%[1]s/</path><tmp_path>%[1]s/tmp/</tmp_path>
<user_files_path>%[1]s/files/</user_files_path><format_schema_path>%[1]s/schemas/</format_schema_path>
<users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
<timezone>UTC</timezone><mark_cache_size>67108864</mark_cache_size><max_concurrent_queries>100</max_concurrent_queries>
<remote_servers><two>%[5]s</two></remote_servers>
</yandex>`, home, port[0], port[1], port[2], shards)
	users := fmt.Sprintf(`<yandex><profiles><default></default></profiles><quotas><default></default></quotas>
<users><regbook><password>%s</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></regbook></users></yandex>`, Password)
	for name, text := range map[string]string{"config.xml": config, "users.xml": users} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
