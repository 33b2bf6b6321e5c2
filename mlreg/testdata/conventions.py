"""Coefficients by scikit-learn on the prostate training rows, for conventions_test.go:

    python3 conventions.py > conventions_sklearn.json
"""
import csv
import json

import numpy as np
import sklearn
from sklearn.linear_model import ElasticNet, Ridge

terms = ["lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"]
rows = [r for r in csv.DictReader(open("prostate.csv")) if r["train"].startswith("T")]
x = np.array([[float(r[t]) for t in terms] for r in rows])
y = np.array([float(r["lpsa"]) for r in rows])
fits = []
for intercept in (True, False):
    for alpha in (0.5, 0.1, 0.01):
        for ratio in (1.0, 0.5, 0.1):
            f = ElasticNet(alpha=alpha, l1_ratio=ratio, tol=1e-15, max_iter=10**7, fit_intercept=intercept).fit(x, y)
            fits.append({"model": "ElasticNet", "alpha": alpha, "l1Ratio": ratio, "intercept": intercept,
                         "coef": [float(f.intercept_)] + f.coef_.tolist()})
        f = Ridge(alpha=100 * alpha, solver="svd", fit_intercept=intercept).fit(x, y)
        fits.append({"model": "Ridge", "alpha": 100 * alpha, "l1Ratio": 0, "intercept": intercept,
                     "coef": [float(f.intercept_)] + f.coef_.tolist()})
print(json.dumps({"version": "scikit-learn " + sklearn.__version__, "fits": fits}, indent=1))
