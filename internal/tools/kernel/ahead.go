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
// So GoNB starts one as soon as there is a plan (go link-ahead; gonb.patch): Go's own
// linker with link.patch, which loads the packages of the plan, waits on a socket in the
// session's folder for programs, and links each in a copy of itself; where a process cannot
// be copied it links one and ends, and GoNB starts the next. GoNB is its parent, and it ends with
// GoNB, or after half an hour without a program.
//
// Where it is not there, was told of other packages, or does not answer, the plan's linker links.

// linkerName is the program's name, beside this one. build.sh builds it.
const linkerName = "regbook-linker"

// aheadFile, in the session's folder, is of the one that waits: the folder that it waits in,
// with its socket and its a.out, and the key of what it loads. While it is there GoNB starts no other.
const aheadFile = ".regbook-linker"

// aheadLink is how long it may take.
const aheadLink = 20 * time.Second

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

// waiting returns the folder of the linker that waits in a session, and the key of what it loads.
func waiting(session string) (dir, key string, ok bool) {
	b, err := os.ReadFile(filepath.Join(session, aheadFile))
	if err != nil {
		return "", "", false
	}
	name, key, ok := strings.Cut(string(b), " ")
	return filepath.Join(session, filepath.Base(name)), key, ok
}

// dismiss ends the linker that waits in a session: it is told of no program.
func dismiss(session string) {
	dir, _, ok := waiting(session)
	if !ok || os.Remove(filepath.Join(session, aheadFile)) != nil {
		return
	}
	if conn, err := net.DialTimeout("unix", filepath.Join(dir, "socket"), time.Second); err == nil {
		conn.Close()
	}
	os.RemoveAll(dir)
}

// linkedAhead has the linker that waits link the program in work. It reports whether it did, and
// dismisses it where there was none for the next one: GoNB then starts another.
func (p *plan) linkedAhead(session, work string) bool {
	dir, key, ok := waiting(session)
	if !ok {
		return false
	}
	reply := ""
	if key == p.aheadKey() {
		reply = tell(dir, work)
	}
	if reply != "linked\n" {
		defer dismiss(session)
	}
	return strings.HasPrefix(reply, "linked") && os.Rename(filepath.Join(dir, "a.out"), filepath.Join(work, "a.out")) == nil
}

// tell tells the linker that waits in dir of the program in work, and returns its reply.
func tell(dir, work string) string {
	conn, err := net.DialTimeout("unix", filepath.Join(dir, "socket"), time.Second)
	if err != nil {
		return ""
	}
	defer conn.Close()
	if conn.SetDeadline(time.Now().Add(aheadLink)) != nil {
		return ""
	}
	if _, err := fmt.Fprintln(conn, work); err != nil {
		return ""
	}
	reply, err := io.ReadAll(conn)
	if err != nil {
		return ""
	}
	return string(reply)
}
