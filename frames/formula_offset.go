package frames

// takeOffsets returns an expression of terms without its offsets, which stand between
// plus signs, nil if nothing else is left, and what they are offsets of.
func takeOffsets(n node) (rest node, offsets []node) {
	switch n := n.(type) {
	case *call:
		if n.fn == "offset" && len(n.args) == 1 && n.args[0].name == "" {
			return nil, []node{n.args[0].value}
		}
	case *binary:
		if n.op != "+" && n.op != "-" {
			break
		}
		x, offsets := takeOffsets(n.x)
		y := n.y
		if n.op == "+" {
			var more []node
			y, more = takeOffsets(n.y)
			offsets = append(offsets, more...)
		}
		switch {
		case y == nil:
			return x, offsets
		case x == nil && n.op == "-":
			return &unary{n.span, "-", y}, offsets
		case x == nil:
			return y, offsets
		}
		return &binary{n.span, n.op, x, y}, offsets
	}
	return n, nil
}

// withOffsets adds the text of offsets to that of a formula.
func withOffsets(text string, offsets []node) string {
	for _, n := range offsets {
		text += " + offset(" + label(n) + ")"
	}
	return text
}

// countsCall is the call cbind(successes, failures) of a response, which has two
// arguments.
func countsCall(n node) (*call, bool) {
	f, ok := n.(*call)
	return f, ok && f.fn == "cbind" && len(f.args) == 2
}

// counts checks cbind as a response.
func (c checker) counts(n *call) error {
	if len(n.args) != 2 || n.args[0].name != "" || n.args[1].name != "" {
		return c.fail(n, "cbind takes the numbers of successes and failures: cbind(yes, no)")
	}
	for _, a := range n.args {
		if err := c.arithmetic(a.value); err != nil {
			return err
		}
	}
	return nil
}
