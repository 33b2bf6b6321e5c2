package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The linker takes half of its time to load packages, which are the same for every cell.
// So GoNB starts one as soon as a cell is built (go link-ahead; gonb.patch): Go's own
// linker with link.patch, which loads the packages of the plan and waits on a socket in the
// session's folder for the next program. It links one program and ends. GoNB is its
// parent, and it ends with GoNB, or after half an hour.
//
// Where it is not there, was told of other packages, or does not answer, the plan's linker links.

// linkerName is the program's name, beside this one. build.sh builds it.
const linkerName = "regbook-linker"

// aheadFile, in the session's folder, is of the one that waits: the folder that it waits in,
// with its socket and its a.out, and the key of what it loads.
const aheadFile = ".regbook-linker"

// aheadEnv numbers its socket.
const aheadEnv = "REGBOOK_LINK_AHEAD"

// aheadKey is a hash of what a linker is told before there is a program.
func (p *plan) aheadKey() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", p.Link)
	for _, path := range slices.Sorted(maps.Keys(p.Package)) {
		fmt.Fprintf(h, "%q %q\n", path, p.Package[path].File)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// linkAhead becomes the linker that waits for the session's next program, in place of one
// that does. It has an error if there is no plan, no such linker, or C in the program, of
// which the linker has to know in time.
func linkAhead(program, session string, env []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	linker := filepath.Join(filepath.Dir(self), linkerName)
	read := ownPlan
	if !exists(filepath.Join(session, planFile)) { // before the first cell
		read = sharedPlan
	}
	p, err := read(session)
	if err != nil {
		return err
	}
	if _, c := p.Package["runtime/cgo"]; c || !sameGo(linker, p.Root) {
		return errors.New("nothing can be linked ahead")
	}
	if !p.Common {
		whole, err := read(session)
		if err != nil {
			return err
		}
		if whole.addCommon(program, session, env) == nil {
			if err := whole.write(session); err != nil {
				return err
			}
			whole.share(session)
			p = whole
		}
	}
	dismiss(session)
	dir, err := os.MkdirTemp(session, aheadFile+"-")
	if err != nil {
		return err
	}
	args, socket, err := p.aheadArgs(dir)
	if err == nil {
		err = writeFile(session, aheadFile, []byte(filepath.Base(dir)+" "+p.aheadKey()))
	}
	if err == nil {
		env = append(slices.Clone(env), "PWD="+session, "GOROOT="+p.Root, aheadEnv+"="+strconv.Itoa(socket))
		err = syscall.Exec(linker, args, env)
	}
	return errors.Join(err, os.RemoveAll(dir))
}

// sameGo reports whether a linker is of the Go whose GOROOT is given: of another it
// refuses the objects.
func sameGo(linker, root string) bool {
	info, err := buildinfo.ReadFile(linker)
	if err != nil {
		return false
	}
	version, err := os.ReadFile(filepath.Join(root, "VERSION"))
	first, _, _ := strings.Cut(string(version), "\n")
	return err == nil && first == info.GoVersion
}

// aheadArgs writes what the linker that will wait in dir needs. It returns its
// arguments, and the file descriptor of the socket that it inherits.
func (p *plan) aheadArgs(dir string) (args []string, socket int, err error) {
	_, config := p.configs(nil)
	if err := os.WriteFile(filepath.Join(dir, "importcfg.link"), []byte(config), 0o600); err != nil {
		return nil, 0, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: filepath.Join(dir, "socket")})
	if err != nil {
		return nil, 0, err
	}
	l.SetUnlinkOnClose(false)
	raw, err := l.SyscallConn()
	if err != nil {
		return nil, 0, err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		// A copy, which outlives this program and blocks.
		if socket, failed = syscall.Dup(int(fd)); failed == nil {
			failed = syscall.SetNonblock(socket, false)
		}
	})
	for _, a := range p.Link {
		args = append(args, strings.ReplaceAll(a, "$WORK", dir))
	}
	return args, socket, errors.Join(err, failed)
}

// waiting takes the folder of the linker that waits in a session, and the key of what it
// loads: the next one who asks finds none.
func waiting(session string) (dir, key string, ok bool) {
	file := filepath.Join(session, aheadFile)
	b, err := os.ReadFile(file)
	if err != nil || os.Remove(file) != nil {
		return "", "", false
	}
	name, key, ok := strings.Cut(string(b), " ")
	return filepath.Join(session, filepath.Base(name)), key, ok
}

// dismiss ends the linker that waits in a session.
func dismiss(session string) {
	if dir, _, ok := waiting(session); ok {
		leave(dir, nil)
	}
}

// leave removes the folder of a linker, which ends where nobody is connected to it.
func leave(dir string, conn net.Conn) {
	if conn == nil {
		conn, _ = net.DialTimeout("unix", filepath.Join(dir, "socket"), time.Second)
	}
	if conn != nil {
		conn.Close()
	}
	os.RemoveAll(dir)
}

// linkedAhead has the linker that waits link the program in work. It reports whether it did.
func (p *plan) linkedAhead(session, work string) bool {
	dir, key, ok := waiting(session)
	if !ok {
		return false
	}
	var conn net.Conn
	defer func() { leave(dir, conn) }()
	if key != p.aheadKey() {
		return false
	}
	conn, err := net.DialTimeout("unix", filepath.Join(dir, "socket"), time.Second)
	if err != nil {
		return false
	}
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return false
	}
	if _, err := fmt.Fprintln(conn, work); err != nil {
		return false
	}
	reply, err := io.ReadAll(conn)
	return err == nil && string(reply) == "linked\n" && os.Rename(filepath.Join(dir, "a.out"), filepath.Join(work, "a.out")) == nil
}
