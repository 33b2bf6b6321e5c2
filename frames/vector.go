package frames

import "math"

// arithmetic computes a op b, element by element.
func arithmetic(op string, out, a, b []float64) {
	b = b[:len(a)]
	out = out[:len(a)]
	switch op {
	case "+":
		for i, v := range a {
			out[i] = v + b[i]
		}
	case "-":
		for i, v := range a {
			out[i] = v - b[i]
		}
	case "*":
		for i, v := range a {
			out[i] = v * b[i]
		}
	case "/":
		for i, v := range a {
			out[i] = v / b[i]
		}
	default:
		for i, v := range a {
			out[i] = apply(op, v, b[i])
		}
	}
}

// compareNumbers sets out to 1 where the comparison is true and to 0 elsewhere.
func compareNumbers(op string, out, a, b []float64) {
	b = b[:len(a)]
	out = out[:len(a)]
	switch op {
	case "==":
		for i, v := range a {
			out[i] = bit(v == b[i])
		}
	case "!=":
		for i, v := range a {
			out[i] = bit(v != b[i])
		}
	case "<":
		for i, v := range a {
			out[i] = bit(v < b[i])
		}
	case "<=":
		for i, v := range a {
			out[i] = bit(v <= b[i])
		}
	case ">":
		for i, v := range a {
			out[i] = bit(v > b[i])
		}
	default:
		for i, v := range a {
			out[i] = bit(v >= b[i])
		}
	}
}

// bit is indicator without a jump, which random data would mispredict.
func bit(v bool) float64 {
	var u uint64
	if v {
		u = 1
	}
	return math.Float64frombits(u * 0x3ff0000000000000)
}

// either marks the rows that a or b marks.
func either(a, b []bool) []bool {
	out := make([]bool, len(a))
	for i, v := range a {
		out[i] = v || b[i]
	}
	return out
}
