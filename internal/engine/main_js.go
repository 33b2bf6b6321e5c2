//go:build js

package main

import (
	"errors"
	"fmt"
	"sync"
	"syscall/js"
	"time"
)

// errNewer ends work whose answer nobody waits for any more.
var errNewer = errors.New("a newer request has come")

// patience is how long work goes on before it looks for messages.
const patience = 30 * time.Millisecond

// tellEvery is how long a page waits for the next report of progress.
const tellEvery = 200 * time.Millisecond

// main offers the page regbookHold(bytes), which keeps a file, and
// regbookAsk(text), which the worker calls for each message, and says
// that it is ready. Answers go to regbookTell(text). One request is worked on at a time, and the
// newest only: an older one that waits is dropped, one that is being worked on ends at its next
// call of progress, where the browser hands over the messages that have come.
func main() {
	var mu sync.Mutex // held by the request that is worked on
	latest := 0
	tell := js.Global().Get("regbookTell")
	js.Global().Set("regbookHold", js.FuncOf(func(_ js.Value, args []js.Value) any {
		b := make([]byte, args[0].Length())
		js.CopyBytesToGo(b, args[0])
		hold(b)
		return nil
	}))
	js.Global().Set("regbookAsk", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := args[0].String()
		latest++
		mine := latest
		go func() {
			mu.Lock()
			defer mu.Unlock()
			if mine != latest {
				return
			}
			looked, told := time.Now(), time.Now()
			out := reply([]byte(text), func(done, total float64) error {
				if time.Since(told) > tellEvery {
					tell.Invoke(fmt.Sprintf(`{"progress":%.3f}`, done/max(total, 1)))
					told = time.Now()
				}
				if time.Since(looked) > patience {
					time.Sleep(time.Microsecond)
					looked = time.Now()
				}
				if mine != latest {
					return errNewer
				}
				return nil
			})
			if mine == latest {
				tell.Invoke(string(out))
			}
		}()
		return nil
	}))
	tell.Invoke(`{"id":0}`)
	select {}
}
