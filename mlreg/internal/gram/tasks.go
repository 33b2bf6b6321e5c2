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

// Chunks returns into how many parts n rows are cut: no more than 64, of at
// least 1024 rows.
func Chunks(n int) int { return max(1, min(64, n/1024)) }

// EachChunk calls work for every chunk of n rows, as many at a time as there
// are processors; newWork makes the work of one of them. Sums over chunks, taken
// in their order, are the same bits on any number of processors.
func EachChunk(n int, newWork func() func(chunk, start, end int)) { EachPart(n, Chunks(n), newWork) }

// EachPart is EachChunk of so many parts.
func EachPart(n, parts int, newWork func() func(part, start, end int)) {
	parallel(parts, func() func(int) {
		work := newWork()
		return func(part int) { work(part, part*n/parts, (part+1)*n/parts) }
	})
}
