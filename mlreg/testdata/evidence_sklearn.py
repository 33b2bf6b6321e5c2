"""Evidence maximised by scikit-learn: evidence_sklearn.json.

    /usr/bin/python3 evidence_sklearn.py > evidence_sklearn.json

BayesianRidge without intercept and with flat hyperpriors (all four
hyperparameters zero) runs MacKay's fixed point for the model of
EvidenceSurface; on the prostate data's 67 training rows, columns standardised
(ddof = 0), response centred.
"""
import csv
import json

import numpy as np
import sklearn
from sklearn.linear_model import BayesianRidge

terms = ["lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"]
with open("prostate.csv") as f:
    rows = [r for r in csv.DictReader(f) if r["train"] == "T"]
x = np.array([[float(r[t]) for t in terms] for r in rows])
y = np.array([float(r["lpsa"]) for r in rows])
x = (x - x.mean(0)) / x.std(0)
y = y - y.mean()
fit = BayesianRidge(fit_intercept=False, alpha_1=0, alpha_2=0, lambda_1=0, lambda_2=0, tol=1e-14, n_iter=100000, compute_score=True).fit(x, y)
print(json.dumps({
    "sklearn": sklearn.__version__,
    "sigma2": 1 / fit.alpha_, "tau2": 1 / fit.lambda_, "coef": fit.coef_.tolist(), "logEvidence": fit.scores_[-1],
}, indent=1))
