package plotting

import (
	"os"
	"syscall"
	"time"
	"unsafe"
)

// drain waits until the reader of a pipe has taken all that was written to it, at
// most for the given time. A file that is not a pipe is left alone.
func drain(f *os.File, most time.Duration) {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return
	}
	for wait, end := 20*time.Microsecond, time.Now().Add(most); unread(f) > 0 && time.Now().Before(end); wait = min(2*wait, time.Millisecond) {
		time.Sleep(wait)
	}
}

// unread returns the number of bytes in a pipe, 0 if the system does not tell.
func unread(f *os.File) int {
	var n int32
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCINQ, uintptr(unsafe.Pointer(&n)))
	if errno != 0 {
		return 0
	}
	return int(n)
}
