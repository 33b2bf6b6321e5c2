package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
)

// Loss is what a prediction costs. SquaredLoss, AbsoluteLoss and QuantileLoss are of
// predicted numbers; ZeroOneLoss, LogLoss and BrierLoss of the predicted probabilities
// of classes.
type Loss interface {
	// String returns the name, such as "squared error".
	String() string
	// of returns what fit predicts for the rows of d, and what it costs.
	of(fit any, d *Design) (*predicted, error)
}

// predicted are the predictions of rows and what they cost.
type predicted struct {
	loss    []float64
	numbers []float64 // what is predicted; nil for classes
	// pay is the loss if row i had the prediction of row j.
	pay func(i, j int) float64
}

// The losses that have names.
var (
	// SquaredLoss is (y - yhat)^2.
	SquaredLoss Loss = numberLoss{name: "squared error", pay: func(y, yhat float64) float64 { return (y - yhat) * (y - yhat) }}
	// AbsoluteLoss is |y - yhat|.
	AbsoluteLoss Loss = numberLoss{name: "absolute error", pay: func(y, yhat float64) float64 { return math.Abs(y - yhat) }}
	// ZeroOneLoss is 1 for a row that Classify puts in another class than its own,
	// and 0 for the others.
	ZeroOneLoss Loss = classLoss{"0-1 loss", func(p []float64, k int) float64 {
		if putIn(p, 0.5) == k {
			return 0
		}
		return 1
	}}
	// LogLoss is -log of the probability of the row's class, half of DevianceLoss. A
	// probability below 1e-300 counts as that.
	LogLoss Loss = classLoss{"log loss", func(p []float64, k int) float64 { return -math.Log(math.Max(p[k], 1e-300)) }}
	// BrierLoss is sum_k (p_k - 1[the class is k])^2; see BrierScore.
	BrierLoss Loss = classLoss{"Brier score", func(p []float64, k int) float64 {
		var sum float64
		for c, v := range p {
			if c == k {
				v--
			}
			sum += v * v
		}
		return sum
	}}
)

// QuantileLoss is the loss that the quantile of probability tau, 0 < tau < 1,
// minimizes,
//
//	tau (y - yhat)      if y >= yhat,
//	(1-tau) (yhat - y)  otherwise.
//
// Koenker and Bassett, Econometrica 46 (1978), 33-50. Any other tau is refused where
// the loss is used (ErrSetting).
func QuantileLoss(tau float64) Loss {
	l := numberLoss{name: fmt.Sprintf("quantile loss at %v", tau), pay: func(y, yhat float64) float64 { return math.Max(tau*(y-yhat), (tau-1)*(y-yhat)) }}
	if !(tau > 0 && tau < 1) {
		l.bad = fmt.Errorf("%w: QuantileLoss(%v); the probability of a quantile lies between 0 and 1", ErrSetting, tau)
	}
	return l
}

// numberLoss is a loss of a predicted number.
type numberLoss struct {
	name string
	pay  func(y, yhat float64) float64
	bad  error
}

func (l numberLoss) String() string { return l.name }

func (l numberLoss) of(fit any, d *Design) (*predicted, error) {
	if l.bad != nil {
		return nil, l.bad
	}
	if c, ok := fit.(Classifier); ok {
		return nil, fmt.Errorf("%w: the %s is of predicted numbers, and a %T gives probabilities of the classes %s; take ZeroOneLoss, LogLoss or BrierLoss",
			ErrLabels, l.name, fit, format.Quoted(c.Classes()))
	}
	f, ok := fit.(Predictor)
	if !ok {
		return nil, fmt.Errorf("%w: a %T does not predict", ErrSetting, fit)
	}
	if err := d.checkFinite(); err != nil {
		return nil, err
	}
	yhat, err := predictRows(f, d)
	if err != nil {
		return nil, err
	}
	p := &predicted{numbers: yhat, pay: func(i, j int) float64 { return l.pay(d.Y[i], yhat[j]) }}
	return p, p.check(d)
}

// predictRows predicts rows and checks that there is a value of each.
func predictRows(f Predictor, d *Design) ([]float64, error) {
	yhat, err := f.Predict(d)
	if err == nil && len(yhat) != d.NObs() {
		err = fmt.Errorf("%w: the fit predicts %d values for %d rows", ErrShape, len(yhat), d.NObs())
	}
	if err != nil {
		return nil, err
	}
	return yhat, nil
}

// classLoss is a loss of the probabilities of classes, of which the row has class k.
type classLoss struct {
	name string
	pay  func(p []float64, k int) float64
}

func (l classLoss) String() string { return l.name }

func (l classLoss) of(fit any, d *Design) (*predicted, error) {
	f, ok := fit.(Classifier)
	if !ok {
		return nil, fmt.Errorf("%w: the %s is of the probabilities of classes, and a %T gives none; take SquaredLoss, AbsoluteLoss or QuantileLoss",
			ErrLabels, l.name, fit)
	}
	index, err := d.classIndices(f.Classes())
	if err != nil {
		return nil, err
	}
	prob, err := f.ClassProb(d)
	if err != nil {
		return nil, err
	}
	p := &predicted{pay: func(i, j int) float64 { return l.pay(prob.RawRowView(j), index[i]) }}
	return p, p.check(d)
}

// check computes the losses of the rows and refuses one that is NaN.
func (p *predicted) check(d *Design) error {
	p.loss = make([]float64, d.NObs())
	for i := range p.loss {
		p.loss[i] = p.pay(i, i)
		if math.IsNaN(p.loss[i]) && d.Weight(i) > 0 {
			return fmt.Errorf("%w: the loss of row %d", ErrNotFinite, d.RowNumber(i))
		}
	}
	return nil
}

// lossesOf checks what every function of a loss is given, and returns the losses.
func lossesOf(fit any, d *Design, loss Loss) (*predicted, error) {
	if err := args.Given("the fit", fit); err != nil {
		return nil, err
	}
	if err := args.Given("the loss", loss); err != nil {
		return nil, err
	}
	if err := d.checkTraining(); err != nil {
		return nil, err
	}
	return loss.of(fit, d)
}

// RowLosses returns the loss of every row of d, of what fit predicts for it: a
// Predictor for losses of numbers, a Classifier for those of classes. Errors: ErrNoData
// (nil arguments, no response), ErrLabels for a loss that is not for such a fit,
// ErrNotFinite for a loss that is NaN, and those of the prediction.
func RowLosses(fit any, d *Design, loss Loss) ([]float64, error) {
	p, err := lossesOf(fit, d, loss)
	if err != nil {
		return nil, err
	}
	return p.loss, nil
}

func init() {
	door.LossesOf = func(fit, design, loss any) ([]float64, func(i, j int) float64, error) {
		p, err := lossesOf(fit, design.(*Design), loss.(Loss))
		if err != nil {
			return nil, nil, err
		}
		return p.loss, p.pay, nil
	}
}
