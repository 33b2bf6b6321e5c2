# Reference values for quantile, robust and generalized linear models, from statsmodels on
# glm.csv. Writes noise_statsmodels.json. Run in this directory:
#
#     /usr/bin/python3 noise_statsmodels.py
#
# (statsmodels 0.13.5.)
import json
import warnings

import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.discrete.discrete_model import Poisson

warnings.filterwarnings("ignore")
d = {k: v.to_numpy(float) for k, v in pd.read_csv("glm.csv").items()}
X = sm.add_constant(np.column_stack([d["x1"], d["x2"], d["b"]]))
out = {"quantile": [], "robust": [], "glm": {}}

for tau in (0.25, 0.5, 0.8):
    m = sm.QuantReg(d["g"], X)
    f = m.fit(q=tau, max_iter=100000, p_tol=1e-14)
    null = sm.QuantReg(d["g"], X[:, :1]).fit(q=tau, max_iter=100000, p_tol=1e-14)
    loss = lambda r: float(np.sum(np.where(r < 0, (tau - 1) * r, tau * r)))
    out["quantile"].append({"tau": tau, "coef": list(f.params), "loss": loss(d["g"] - X @ f.params), "null": loss(d["g"] - null.params[0]), "r1": f.prsquared})

for name, norm in (("Huber M", sm.robust.norms.HuberT()), ("Tukey M", sm.robust.norms.TukeyBiweight())):
    f = sm.RLM(d["g"], X, M=norm).fit(maxiter=5000, tol=1e-14, conv="coefs")
    out["robust"].append({"method": name, "coef": list(f.params), "scale": f.scale, "se": list(f.bse), "weights": list(f.weights)})

F = sm.families
links = F.links
share = np.column_stack([d["k"], d["m"] - d["k"]])
cases = {
    "poisson": (d["y"], F.Poisson(), {}),
    "poissonOffset": (d["y"], F.Poisson(), {"offset": np.log(d["t"])}),
    "poissonExposure": (d["y"], F.Poisson(), {"exposure": d["t"]}),
    "binomial": (share, F.Binomial(), {}),
    "binomialProbit": (share, F.Binomial(links.probit()), {}),
    "binomialCLogLog": (share, F.Binomial(links.cloglog()), {}),
    "gammaLog": (d["g"], F.Gamma(links.log()), {}),
    "inverseGaussianLog": (d["g"], F.InverseGaussian(links.log()), {}),
}
for name, (y, family, more) in cases.items():
    tight = {"maxiter": 1000, "tol": 1e-15}
    m = sm.GLM(y, X, family=family, **more)
    f = m.fit(**tight)
    r = {"coef": f.params, "se": f.bse, "deviance": f.deviance, "null": f.null_deviance, "pearson": f.pearson_chi2, "scale": f.scale,
         "llf": m.loglike(f.params, scale=f.deviance / len(X)) if name in ("gammaLog", "inverseGaussianLog") else f.llf, "aic": f.aic,
         "resid_deviance": f.resid_deviance[:8], "resid_pearson": f.resid_pearson[:8], "mu": f.mu[:8]}
    for hc in ("HC0", "HC1", "HC2", "HC3"):
        r[hc] = m.fit(cov_type=hc, **tight).bse
    r["cluster"] = m.fit(cov_type="cluster", cov_kwds={"groups": d["cl"]}, **tight).bse
    out["glm"][name] = {k: list(map(float, v)) if np.ndim(v) else float(v) for k, v in r.items()}
# quasi-Poisson: scale="X2"
f = sm.GLM(d["y"], X, family=F.Poisson(), offset=np.log(d["t"])).fit(scale="X2", maxiter=1000, tol=1e-15)
out["glm"]["quasiPoisson"] = {"coef": list(f.params), "se": list(f.bse), "scale": f.scale, "deviance": f.deviance, "null": f.null_deviance}
f = Poisson(d["y"], X, exposure=d["t"]).fit(disp=0, method="newton", tol=1e-14, maxiter=1000)
out["glm"]["poissonDiscrete"] = {"coef": list(f.params), "se": list(f.bse), "llf": f.llf, "hc0": list(Poisson(d["y"], X, exposure=d["t"]).fit(disp=0, method="newton", tol=1e-14, cov_type="HC0").bse)}
with open("noise_statsmodels.json", "w") as o:
    json.dump(out, o)
