package gram

// Parallel calls newWorker once for each processor, at most n times, and the
// functions it returns for every task from 0 to n, each once, in any order.
func Parallel(n int, newWorker func() func(task int)) { parallel(n, newWorker) }

// Each calls do for every task from 0 to n, each once, in any order, on as many
// processors as there are.
func Each(n int, do func(task int)) {
	if n == 1 {
		do(0)
		return
	}
	parallel(n, func() func(int) { return do })
}
