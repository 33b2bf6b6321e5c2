package gram

// Parallel calls newWorker once for each processor, at most n times, and the
// functions it returns for every task from 0 to n, each once, in any order.
func Parallel(n int, newWorker func() func(task int)) { parallel(n, newWorker) }
