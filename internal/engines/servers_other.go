//go:build unix && !linux

package engines

import "syscall"

// attributes has a server run as another user.
func attributes(as *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: as}
}
