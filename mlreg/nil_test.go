package mlreg

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/exported"
	"github.com/regbook/regbook/mlreg/report"
)

// nilFunctions are the exported functions without type parameters.
var nilFunctions = map[string]any{
	"AIC":                   AIC,
	"BIC":                   BIC,
	"BrierScore":            BrierScore,
	"Calibration":           Calibration,
	"CertifyModels":         CertifyModels,
	"CheckSeparation":       CheckSeparation,
	"ClassError":            ClassError,
	"Classify":              Classify,
	"CoefTable":             CoefTable,
	"CompareDeviances":      CompareDeviances,
	"CompareErrors":         CompareErrors,
	"CompareFamilies":       CompareFamilies,
	"CompareLosses":         CompareLosses,
	"CompareNested":         CompareNested,
	"ConfInt":               ConfInt,
	"Confusion":             Confusion,
	"Contrast":              Contrast,
	"CountStepwise":         CountStepwise,
	"CountSubsets":          CountSubsets,
	"CrossValidateNested":   CrossValidateNested,
	"CrossValidateSizes":    CrossValidateSizes,
	"DecimalColumn":         report.DecimalColumn,
	"DefaultFolds":          DefaultFolds,
	"DescriptionLength":     DescriptionLength,
	"DevianceLoss":          DevianceLoss,
	"DistinctRows":          DistinctRows,
	"DurbinWatson":          DurbinWatson,
	"EnumerateModels":       EnumerateModels,
	"EvalRows":              EvalRows,
	"Expand":                Expand,
	"ExpandLike":            ExpandLike,
	"ExpectedErrorAt":       ExpectedErrorAt,
	"ExpectedErrorPath":     ExpectedErrorPath,
	"ExpectedRidgeErrorAt":  ExpectedRidgeErrorAt,
	"FactsOf":               FactsOf,
	"FilterTerms":           FilterTerms,
	"Fingerprint":           Fingerprint,
	"FitBayes":              FitBayes,
	"FitBayesGLM":           FitBayesGLM,
	"FitBayesLogistic":      FitBayesLogistic,
	"FitBestSubsets":        FitBestSubsets,
	"FitElasticNet":         FitElasticNet,
	"FitElasticNetCV":       FitElasticNetCV,
	"FitElasticNetPath":     FitElasticNetPath,
	"FitGLM":                FitGLM,
	"FitGLMCV":              FitGLMCV,
	"FitGLMPath":            FitGLMPath,
	"FitGreedy":             FitGreedy,
	"FitGreedyCV":           FitGreedyCV,
	"FitLARS":               FitLARS,
	"FitLasso":              FitLasso,
	"FitLassoCV":            FitLassoCV,
	"FitLassoPath":          FitLassoPath,
	"FitLearningCurve":      FitLearningCurve[*OLS],
	"FitLogistic":           FitLogistic,
	"FitLogisticCV":         FitLogisticCV,
	"FitLogisticElasticNet": FitLogisticElasticNet,
	"FitLogisticPath":       FitLogisticPath,
	"FitMultinomial":        FitMultinomial,
	"FitMultinomialCV":      FitMultinomialCV,
	"FitMultinomialPath":    FitMultinomialPath,
	"FitNaiveBayes":         FitNaiveBayes,
	"FitAbsorbed":           FitAbsorbed,
	"FitOLS":                FitOLS,
	"FitPCR":                FitPCR,
	"FitRelaxedLasso":       FitRelaxedLasso,
	"FitRelaxedLassoCV":     FitRelaxedLassoCV,
	"FitRelaxedLassoPath":   FitRelaxedLassoPath,
	"FitRidge":              FitRidge,
	"FitRidgeCV":            FitRidgeCV,
	"FitRidgePath":          FitRidgePath,
	"FitStepwise":           FitStepwise,
	"FitTable":              FitTable,
	"FromGlmnet":            FromGlmnet,
	"FromGlmnetPath":        FromGlmnetPath,
	"FromScikit":            FromScikit,
	"Functions":             Functions,
	"GCV":                   GCV,
	"GVIF":                  GVIF,
	"HatMatrix":             HatMatrix,
	"IntColumn":             report.IntColumn,
	"JarqueBera":            JarqueBera,
	"KFold":                 KFold,
	"LOOMSE":                LOOMSE,
	"LOOResiduals":          LOOResiduals,
	"Laplace":               Laplace,
	"Laplace1D":             Laplace1D,
	"LeaveOneOut":           LeaveOneOut,
	"Leverage":              Leverage,
	"LikelihoodRatioTest":   LikelihoodRatioTest,
	"LogEvidenceBIC":        LogEvidenceBIC,
	"LogLikelihood":         LogLikelihood,
	"LowerLimits":           LowerLimits,
	"MomentFolds":           MomentFolds,
	"MomentsOf":             MomentsOf,
	"MomentsOfBlocks":       MomentsOfBlocks,
	"NewCV":                 NewCV,
	"NewBSpline":            NewBSpline,
	"NewCalibration":        NewCalibration,
	"NewCoding":             NewCoding,
	"NewDesign":             NewDesign,
	"NewEvidenceSurface":    NewEvidenceSurface,
	"NewFolds":              NewFolds,
	"NewFourier":            NewFourier,
	"NewGaussian":           NewGaussian,
	"NewLinear":             NewLinear,
	"NewLinearGaussian":     NewLinearGaussian,
	"NewMoments":            NewMoments,
	"NewNaiveBayes":         NewNaiveBayes,
	"NewNaturalSpline":      NewNaturalSpline,
	"NewPoly":               NewPoly,
	"NewPowers":             NewPowers,
	"NewRBF":                NewRBF,
	"NewROC":                NewROC,
	"NewRandomCosines":      NewRandomCosines,
	"NewWords":              NewWords,
	"NumberColumn":          report.NumberColumn,
	"OrderedModels":         OrderedModels,
	"PColumn":               report.PColumn,
	"Power":                 Power,
	"Project":               Project,
	"PrototypeWidth":        PrototypeWidth,
	"QuantileLoss":          QuantileLoss,
	"QuantilePrototypes":    QuantilePrototypes,
	"ROC":                   ROC,
	"RandomParts":           RandomParts,
	"RandomValidationSet":   RandomValidationSet,
	"RefineOLS":             RefineOLS,
	"RepeatCV":              RepeatCV,
	"ResidualMaker":         ResidualMaker,
	"RowLosses":             RowLosses,
	"SampleModels":          SampleModels,
	"SamplePrototypes":      SamplePrototypes,
	"SampleQuantile":        SampleQuantile,
	"Save":                  Save,
	"SequentialLogEvidence": SequentialLogEvidence,
	"ShootingAlgorithm":     ShootingAlgorithm,
	"Summary":               Summary,
	"Surprise":              Surprise,
	"TestError":             TestError,
	"TextColumn":            report.TextColumn,
	"TimeParts":             TimeParts,
	"ToGlmnet":              ToGlmnet,
	"ToScikit":              ToScikit,
	"UpperLimits":           UpperLimits,
	"VIF":                   VIF,
	"ValidationSet":         ValidationSet,
	"WaldTest":              WaldTest,
}

// nilArguments returns the arguments of the calls of a function, in which everything
// that can be nil is: an interface is nil, or holds a nil of each type that meets it.
func nilArguments(of reflect.Type, from int) [][]reflect.Value {
	calls := [][]reflect.Value{nil}
	for i := from; i < of.NumIn(); i++ {
		in := of.In(i)
		if of.IsVariadic() && i == of.NumIn()-1 {
			in = in.Elem() // one nil
		}
		values := []reflect.Value{reflect.Zero(in)}
		switch {
		case in == reflect.TypeFor[rand.Source]():
			values = []reflect.Value{reflect.ValueOf(rand.NewPCG(1, 2))}
		case in.Kind() == reflect.Interface && in.NumMethod() > 0:
			for _, v := range []any{
				(*Design)(nil), (*Moments)(nil), (*OLS)(nil), (*Ridge)(nil), (*ElasticNet)(nil), (*Bayes)(nil), (*Logistic)(nil),
				(*Multinomial)(nil), (*NaiveBayes)(nil), (*BayesLogistic)(nil), (*Robust)(nil), (*PCR)(nil), (*Powers)(nil), (*Poly)(nil), (*mat.Dense)(nil), (*mat.SymDense)(nil),
			} {
				if reflect.TypeOf(v).Implements(in) {
					values = append(values, reflect.ValueOf(v))
				}
			}
		}
		var longer [][]reflect.Value
		for _, call := range calls {
			for _, v := range values {
				longer = append(longer, append(call[:len(call):len(call)], v))
			}
		}
		calls = longer
	}
	return calls
}

// checkNils calls a function that returns an error with nils, and wants no panic,
// and ErrNoData of a function of nothing but data and settings.
func checkNils(t *testing.T, name string, f reflect.Value) {
	of := f.Type()
	if of.NumOut() == 0 || of.Out(of.NumOut()-1) != reflect.TypeFor[error]() {
		return
	}
	bare := of.NumIn() > 0 && (of.In(0) == reflect.TypeFor[*Design]() || of.In(0) == reflect.TypeFor[Data]())
	for i := 1; i < of.NumIn(); i++ {
		bare = bare && of.In(i).Kind() == reflect.Pointer && strings.HasSuffix(of.In(i).Elem().Name(), "Settings")
	}
	for _, in := range nilArguments(f.Type(), 0) {
		func() {
			defer func() {
				if p := recover(); p != nil {
					var types []string
					for _, v := range in {
						if v.Kind() == reflect.Interface {
							v = v.Elem()
						}
						if v.IsValid() {
							types = append(types, v.Type().String())
						} else {
							types = append(types, "nil")
						}
					}
					t.Errorf("%s(%s): panic: %v", name, strings.Join(types, ", "), p)
				}
			}()
			out := f.Call(in)
			if err, _ := out[len(out)-1].Interface().(error); bare && !errors.Is(err, ErrNoData) {
				t.Errorf("%s: %v", name, err)
			}
		}()
	}
}

// Functions, and methods of results, say that there are no data if they are given
// none: they do not panic.
func TestNilArguments(t *testing.T) {
	for _, name := range exported.Plain(t, ".") {
		f, ok := nilFunctions[name]
		if !ok {
			t.Errorf("%s is not tried: add it to nilFunctions", name)
			continue
		}
		checkNils(t, name, reflect.ValueOf(f))
	}
	tried := map[reflect.Type]bool{}
	for _, v := range gobResults(t) {
		for _, p := range structs(reflect.ValueOf(v)) {
			if tried[p.Type()] {
				continue
			}
			tried[p.Type()] = true
			for i := range p.NumMethod() {
				if name := p.Type().Method(i).Name; p.Method(i).Type().NumIn() > 0 {
					checkNils(t, fmt.Sprintf("%s.%s", p.Type().Elem().Name(), name), p.Method(i))
				}
			}
		}
	}
}
