# Reference values of statsmodels for reference_test.go:
#   /usr/bin/python3 mlreg/tsa/testdata/lags.py > mlreg/tsa/testdata/lags_statsmodels.json
import json, os, warnings
import numpy as np
import statsmodels.api as sm
from statsmodels.tsa.ar_model import AutoReg, ar_select_order
from statsmodels.stats.diagnostic import acorr_ljungbox
from statsmodels.tsa.stattools import grangercausalitytests, acf, pacf

warnings.simplefilter("ignore")
ref = json.load(open(os.path.join(os.path.dirname(__file__), "lags_r.json")))
x = np.array(ref["x"])
out = {"version": __import__("statsmodels").__version__}
fit = AutoReg(x, 4).fit()
out["params"] = fit.params.tolist()
out["llf"] = fit.llf
out["aic"], out["bic"] = fit.aic, fit.bic
# All orders on the same rows: those that have all 12 lags.
sel = ar_select_order(x, 12, ic="bic")
out["bic_order"] = 0 if sel.ar_lags is None else len(sel.ar_lags)
out["aic_order"] = len(ar_select_order(x, 12, ic="aic").ar_lags)
out["bics"] = [AutoReg(x, k, hold_back=12).fit().bic for k in range(0, 13)]
# hold_back = None takes as many rows as an order can, and glob = True all sets of lags.
out["own_llf"] = [AutoReg(x, k).fit().llf for k in range(0, 9)]
out["glob"] = [float(v) for v in ar_select_order(x, 8, ic="bic", glob=True).ar_lags]
t = AutoReg(x, 2, trend="ct", seasonal=False).fit()
out["trend_llf"], out["trend_lags"] = t.llf, t.params[2:].tolist()
p = fit.get_prediction(start=len(x), end=len(x) + 5)
out["ahead"], out["ahead_se"] = p.predicted_mean.tolist(), np.sqrt(p.var_pred_mean).tolist()
lb = acorr_ljungbox(fit.resid, lags=10, model_df=4)
out["lb"], out["lb_p"] = lb.lb_stat.tolist(), [None if np.isnan(v) else v for v in lb.lb_pvalue]
out["resid"] = fit.resid.tolist()
m, f = np.array(ref["m"]), np.array(ref["f"])
g = grangercausalitytests(np.column_stack([m, f]), [3], verbose=False)[3][0]["ssr_ftest"]
out["granger"] = [float(g[0]), float(g[3]), float(g[2]), float(g[1])]
e = np.column_stack([np.ones(69)] + [m[3 - k:72 - k] for k in (1, 2, 3)] + [f[3 - k:72 - k] for k in (1, 2, 3)])
hac = sm.OLS(m[3:], e).fit(cov_type="HAC", cov_kwds={"maxlags": 4, "use_correction": True})
out["hac"] = hac.bse.tolist()
out["pacf"] = pacf(x, 12, method="ldb")[1:].tolist()
json.dump(out, __import__("sys").stdout, indent=1)
