package frames

import (
	"github.com/regbook/regbook/frames/internal/table"
)

// blockPredictor predicts the rows of blocks.
type blockPredictor struct {
	model
	fit    Predictor
	fields []table.Field
}

func predictBlocks(fit any, fields []table.Field) (table.Predictor, error) {
	f, ok := fit.(Predictor)
	if !ok {
		return nil, errorf(ErrSetting, "%T does not predict numbers", fit)
	}
	if err := checkFit(fit); err != nil {
		return nil, err
	}
	if f.Coding() == nil {
		return nil, errorf(ErrNoRecipe, "the fit was not made from a formula; fit a design of frames.Design or Source.Design")
	}
	t, err := codedTerms(f)
	if err != nil {
		return nil, err
	}
	t.Weights = ""
	m, err := t.model()
	if err != nil {
		return nil, err
	}
	return &blockPredictor{m, f, fields}, m.checkColumns(onFields(fields))
}

// Columns returns the columns that the fit needs.
func (p *blockPredictor) Columns() ([]string, error) { return inTable(p.used(), p.fields), nil }

// Coder codes the terms of the fit.
func (p *blockPredictor) Coder() (table.Coder, error) {
	return recode(p.fit.Coding(), fitTerms(p.fit), nil, false, p.fields)
}

// Predict returns the prediction of every row, NaN where a column is missing.
func (p *blockPredictor) Predict(block *table.Block) ([]float64, error) {
	r, err := p.builder(onBlock(block)).codedRows(p.fit.Coding(), nothingElse)
	if err != nil {
		return nil, err
	}
	return r.vector(p.fit.Predict)
}
