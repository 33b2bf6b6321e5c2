"""Reference values for classification, from statsmodels and scikit-learn.

Run in this directory, after logistic.R:

    /usr/bin/python3 logistic.py
"""

import json

import numpy as np
import statsmodels.api as sm
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, confusion_matrix, roc_auc_score, roc_curve
from sklearn.naive_bayes import BernoulliNB

data = np.genfromtxt("birthwt.csv", delimiter=",", names=True)
terms = ["age", "lwt", "smoke", "ptl", "ht", "ui"]
x = np.column_stack([data[t] for t in terms])
y = data["low"]
a = sm.add_constant(x)
out = {}

fit = sm.Logit(y, a).fit(method="newton", tol=1e-15, maxiter=100, disp=0)
null = sm.Logit(y, np.ones(len(y))).fit(method="newton", tol=1e-15, disp=0)
out["logit"] = {"coef": fit.params, "stderr": fit.bse, "loglik": [fit.llf, null.llf], "aic": [fit.aic, fit.bic]}

# lambda |b|^2 with lambda = 1/(2 C), on columns scaled by their deviation
z = (x - x.mean(0)) / x.std(0)
out["ridge"] = {}
for lam in (0.5, 10.0):
    f = LogisticRegression(C=1 / (2 * lam), solver="newton-cholesky", tol=1e-14, max_iter=1000).fit(z, y)
    out["ridge"][str(lam)] = np.concatenate((f.intercept_, f.coef_[0]))

# DeLong's variance of the area, by its definition
p = fit.predict(a)
pos, neg = p[y == 1], p[y == 0]
above = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
var = np.var(above.mean(1), ddof=1) / len(pos) + np.var(above.mean(0), ddof=1) / len(neg)
fpr, tpr, _ = roc_curve(y, p, drop_intermediate=False)
out["roc"] = {"auc": [roc_auc_score(y, p)], "stderr": [np.sqrt(var)], "fpr": fpr, "tpr": tpr}
out["brier"] = [2 * brier_score_loss(y, p)]
out["confusion"] = confusion_matrix(y, p >= 0.4).ravel()

m = sm.MNLogit(data["race"], sm.add_constant(np.column_stack([data[t] for t in ("low", "age", "lwt", "smoke")])))
fit = m.fit(method="newton", tol=1e-15, maxiter=100, disp=0)
out["multinomial"] = {"coef": fit.params.T.ravel(), "stderr": fit.bse.T.ravel(), "loglik": [fit.llf, fit.llnull], "prob": fit.predict()[:4].ravel()}

# naive Bayes on presence of smoke, ptl, ht, ui, three classes
b = (np.column_stack([data[t] for t in ("smoke", "ptl", "ht", "ui")]) > 0).astype(float)
out["naivebayes"] = {}
for alpha in (0.5, 1.0):
    f = BernoulliNB(alpha=alpha, binarize=None).fit(b, data["race"])
    out["naivebayes"][str(alpha)] = {"logprior": f.class_log_prior_, "logprob": f.feature_log_prob_.ravel(), "prob": f.predict_log_proba(b)[:6].ravel()}

json.dump(out, open("logistic_py.json", "w"), default=lambda v: np.asarray(v, dtype=float).tolist(), indent=0)
