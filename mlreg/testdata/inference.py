# Reference values from statsmodels; run in mlreg/testdata as
#   /usr/bin/python3 inference.py > inference_statsmodels.json
import json
import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.stats.diagnostic import het_breuschpagan
from statsmodels.stats.outliers_influence import variance_inflation_factor
from statsmodels.stats.stattools import durbin_watson, jarque_bera


def case(frame, response, terms, weights=None, intercept=True):
    x = frame[terms].to_numpy(float)
    if intercept:
        x = sm.add_constant(x)
    y = frame[response].to_numpy(float)
    model = sm.OLS(y, x) if weights is None else sm.WLS(y, x, weights=weights)
    fit = model.fit()
    k = x.shape[1]
    hyp = np.zeros((2, k))
    hyp[0, 1], hyp[0, 2], hyp[1, -1] = 1, -1, 1
    wald = fit.f_test((hyp, [0.1, -0.2]))
    out = {"coef": fit.params, "stderr": fit.bse, "wald": [wald.fvalue, wald.pvalue]}
    for kind in ("HC0", "HC1", "HC2", "HC3"):
        out[kind.lower()] = getattr(fit, "cov_" + kind).ravel()
    if weights is None:
        out.update(dw=[durbin_watson(fit.resid)], jb=jarque_bera(fit.resid))
        if intercept:
            bp = het_breuschpagan(fit.resid, x)
            out["bp"] = [bp[0], k - 1, bp[1]]
        first = 1 if intercept else 0
        out["vif"] = [variance_inflation_factor(x, j) for j in range(first, k)]
        inf = fit.get_influence()
        out.update(hat=inf.hat_matrix_diag, cook=inf.cooks_distance[0], rstudent=inf.resid_studentized_external,
                   dffits=inf.dffits[0], dfbetas=inf.dfbetas.ravel(), press=[inf.ess_press])
    return {name: [float(v) for v in np.ravel(values)] for name, values in out.items()}


longley, prostate, diabetes = (pd.read_csv(name + ".csv") for name in ("longley", "prostate", "diabetes"))
eight = ["lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"]
cases = {
    "longley": case(longley, "Employed", ["GNP.deflator", "GNP", "Unemployed", "Armed.Forces", "Population", "Year"]),
    "prostate": case(prostate, "lpsa", eight),
    "diabetes": case(diabetes, "progression", ["age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6"]),
    "weighted": case(prostate, "lpsa", eight, weights=prostate.age / 60),
    "no intercept": case(prostate, "lpsa", ["lcavol", "lweight", "age"], intercept=False),
}
print("{\n" + ",\n".join(json.dumps(name) + ": {\n" + ",\n".join("  %s: %s" % (json.dumps(q), json.dumps(v)) for q, v in c.items()) + "\n}" for name, c in cases.items()) + "\n}")
