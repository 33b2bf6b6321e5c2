# What statsmodels and scikit-learn print for the calls of COMING_FROM.md, on the
# prostate data.
#
#   python3 coming_from.py > coming_from_python.txt
#
# statsmodels 0.13.5, scikit-learn 1.2.1, pandas 1.5.3.
import warnings

import numpy as np
import pandas as pd
import statsmodels.api as sm
from sklearn.decomposition import PCA
from sklearn.feature_selection import f_regression
from sklearn.linear_model import (ElasticNet, Lasso, LassoCV, LinearRegression, LogisticRegression, Ridge, RidgeCV,
                                  lars_path, lasso_path)
from sklearn.metrics import (accuracy_score, brier_score_loss, confusion_matrix, f1_score, log_loss,
                             mean_squared_error, precision_score, r2_score, recall_score, roc_auc_score)
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.diagnostic import acorr_ljungbox, het_breuschpagan
from statsmodels.stats.outliers_influence import variance_inflation_factor
from statsmodels.stats.stattools import durbin_watson, jarque_bera
from statsmodels.tsa.ar_model import AutoReg, ar_select_order
from statsmodels.tsa.stattools import grangercausalitytests

warnings.filterwarnings("ignore")
df = pd.read_csv("../../../datasets/data/prostate.csv")
train = df.pop("train") == "T"
y = df.lpsa.to_numpy()
X = df.drop(columns="lpsa").to_numpy()
Z = StandardScaler().fit_transform(X)
new = pd.DataFrame({"lcavol": [1, 2], "svi": [0, 1]})
w = np.resize([1, 4], 97)
ols = sm.OLS.from_formula
m1 = ols("lpsa ~ lcavol", df).fit()
m = ols("lpsa ~ lcavol + svi", df).fit()
C, c = df[["lpsa", "lcavol"]].to_numpy(), df.svi.to_numpy()
g = sm.Logit(c, sm.add_constant(C)).fit(disp=0, tol=1e-14)
p = g.predict()
fold = np.arange(95) % 5  # of equal size
cv = PredefinedSplit(fold)
tight = {"tol": 1e-14, "max_iter": 1000000}


# Calls are printed as they are written in the page, then a tab and the values.
def show(call, *values):
    numbers = np.concatenate([np.ravel(v).astype(float) for v in values])
    print(call, " ".join(f"{v:.12g}" for v in numbers), sep="\t")


show("df.describe()", df.age.describe())
show('df.query("age > 60 and svi == 1")', df.query("age > 60 and svi == 1").lpsa)
show('df.groupby("gleason").lpsa.mean()', df.groupby("gleason").lpsa.mean())
show('df.sort_values(["gleason", "age"], ascending=[False, True])', df.sort_values(["gleason", "age"], ascending=[False, True], kind="stable").lpsa)
show("StandardScaler()", Z[0])
show('sm.OLS.from_formula("lpsa ~ lcavol + svi", df).fit()', m.params)
show("m.params", m.params)
show("m.bse", m.bse)
show("m.cov_params()", m.cov_params())
show("m.conf_int()", m.conf_int())
show("m.predict(new)", m.predict(new))
show("m.get_prediction(new).summary_frame()", m.get_prediction(new).summary_frame())
show("m.fittedvalues", m.fittedvalues)
show("m.resid", m.resid)
show("m.rsquared", m.rsquared)
show("m.rsquared_adj", m.rsquared_adj)
show("m.fvalue", m.fvalue, m.f_pvalue)
show("m.llf", m.llf)
show("m.ssr", m.ssr)
show("m.mse_resid", m.mse_resid)
show("m.aic", m.aic)
show("m.bic", m.bic)
show('fit(cov_type="HC3")', ols("lpsa ~ lcavol + svi", df).fit(cov_type="HC3").bse)
show('m.t_test("lcavol - svi = 0")', *(lambda t: (t.effect, t.sd, t.tvalue, t.pvalue))(m.t_test("lcavol - svi = 0")))
show('m.f_test("lcavol = 0.5, svi = 1")', *(lambda t: (t.fvalue, t.pvalue))(m.f_test("lcavol = 0.5, svi = 1")))
show("anova_lm(m1, m)", anova_lm(m1, m)[["F", "Pr(>F)"]].iloc[1])
influence = m.get_influence()
show("m.get_influence().summary_frame()", influence.summary_frame()[["cooks_d", "standard_resid", "hat_diag", "student_resid", "dffits"]])
show("het_breuschpagan(m.resid, X)", het_breuschpagan(m.resid, m.model.exog)[:2])
show("durbin_watson(m.resid)", durbin_watson(m.resid))
show("jarque_bera(m.resid)", jarque_bera(m.resid))
show("variance_inflation_factor(X, i)", [variance_inflation_factor(sm.add_constant(X), i) for i in range(1, 9)])
show("sm.WLS(y, X, weights=w)", sm.WLS(y, sm.add_constant(X[:, :1]), weights=w).fit().params)
show("LinearRegression()", *(lambda f: (f.intercept_, f.coef_))(LinearRegression().fit(X, y)))
show("mean_squared_error(y, yhat)", mean_squared_error(y, m.fittedvalues))
show("r2_score(y, yhat)", r2_score(y, m.fittedvalues))
show("f_regression(X, y)", f_regression(X, y)[0])
show("PolynomialFeatures(3)", make_pipeline(PolynomialFeatures(3), LinearRegression()).fit(X[:, :1], y).predict(X[:, :1]))
show("make_pipeline(StandardScaler(), Ridge(10))", make_pipeline(StandardScaler(), Ridge(10)).fit(X[train], y[train]).predict(X[~train]))
show("Ridge(alpha=10)", Ridge(10).fit(Z, y).coef_)
show("RidgeCV(alphas)", RidgeCV([100, 10, 1, 0.1], store_cv_values=True).fit(Z, y).cv_values_.mean(0))
show("Lasso(alpha=0.1)", Lasso(0.1, **tight).fit(Z, y).coef_)
show("ElasticNet(alpha=0.1, l1_ratio=0.5)", ElasticNet(alpha=0.1, l1_ratio=0.5, **tight).fit(Z, y).coef_)
show("lasso_path(X, y)", lasso_path(Z, y - y.mean(), alphas=[0.3, 0.1, 0.01], **tight)[1].T)
show('lars_path(X, y, method="lasso")', lars_path(Z, y - y.mean(), method="lasso")[0])
lasso = LassoCV(alphas=[0.3, 0.1, 0.01], cv=cv, **tight).fit(Z[:95], y[:95])
show("LassoCV(cv=cv)", lasso.mse_path_.mean(1), lasso.alpha_)
show("cross_val_score(LinearRegression(), X, y, cv=cv)",
     -cross_val_score(LinearRegression(), X[:95], y[:95], cv=cv, scoring="neg_mean_squared_error"))
show("PCA()", PCA().fit(Z).singular_values_)
show("make_pipeline(PCA(3), LinearRegression())", make_pipeline(PCA(3), LinearRegression()).fit(Z, y).predict(Z))
show("sm.Logit(y, X).fit()", g.params, g.bse, g.llf, g.llr, g.llr_pvalue)
show("LogisticRegression(C=1)", *(lambda f: (f.intercept_, f.coef_))(LogisticRegression(C=1, solver="newton-cg", tol=1e-12, max_iter=10000).fit(C, c)))
show('LogisticRegression(penalty="l1", C=0.2)', *(lambda f: (f.intercept_, f.coef_))(
    LogisticRegression(penalty="l1", C=0.2, solver="saga", **tight).fit(StandardScaler().fit_transform(C), c)))
km, by = [0.5, 1, 2, 1, 3, 4, 6, 2, 5, 9, 15, 3], [0, 0, 0, 1, 1, 1, 1, 0, 2, 2, 2, 2]
show("sm.MNLogit(y, X).fit()", *(lambda f: (f.params.T, f.llf))(sm.MNLogit(by, sm.add_constant(km)).fit(disp=0, tol=1e-14)))
M = sm.add_constant(X[:, [0, 4]])  # lcavol, svi
medians = sm.QuantReg(y, M).fit(q=0.5, max_iter=100000, p_tol=1e-14)
show("sm.QuantReg(y, X).fit(q=0.5)", np.abs(y - M @ medians.params).sum() / 2)
r = sm.RLM(y, M).fit(maxiter=5000, tol=1e-14, conv="coefs")
show("sm.RLM(y, X).fit()", r.params, r.scale)
k = df.gleason.to_numpy(float)
counts = sm.GLM(k, M, sm.families.Poisson(), offset=np.log(df.age.to_numpy(float)))
show("sm.GLM(y, X, sm.families.Poisson(), offset=o).fit()", *(lambda f: (f.params, f.bse, f.deviance, f.pearson_chi2, f.llf, f.aic))(counts.fit(tol=1e-15, maxiter=100)))
show("sm.GLM(y, X, sm.families.Poisson(), exposure=t).fit()",
     sm.GLM(k, M, sm.families.Poisson(), exposure=df.age.to_numpy(float)).fit(tol=1e-15, maxiter=100).params)
show('sm.GLM(y, X, sm.families.Poisson(), offset=o).fit(cov_type="HC0")', counts.fit(cov_type="HC0", tol=1e-15, maxiter=100).bse)
show('sm.GLM(y, X, sm.families.Poisson(), offset=o).fit(scale="X2")', *(lambda f: (f.bse, f.scale))(counts.fit(scale="X2", tol=1e-15, maxiter=100)))
show('sm.GLM(y, X, sm.families.Gamma(links.log())).fit()',
     *(lambda f: (f.params, f.bse, f.scale))(sm.GLM(df.lweight.to_numpy(), M, sm.families.Gamma(sm.families.links.log())).fit(tol=1e-15, maxiter=100)))
mixed = sm.MixedLM.from_formula("lpsa ~ lcavol", df, groups="gleason")
closely = {"method": "powell", "ftol": 1e-16, "xtol": 1e-12}
show('sm.MixedLM.from_formula("lpsa ~ lcavol", df, groups="gleason").fit()', *(lambda f: (f.fe_params, f.cov_re, f.scale, f.llf))(mixed.fit(**closely)))
show('sm.MixedLM.from_formula("lpsa ~ lcavol", df, groups="gleason").fit(reml=False)', *(lambda f: (f.fe_params, f.scale, f.llf))(mixed.fit(reml=False, **closely)))
B = X[:, [0, 1, 2, 3, 5]] > 0
show("BernoulliNB(alpha=1)", BernoulliNB(alpha=1).fit(B, c).predict_proba(B)[:, 1])
show("confusion_matrix(y, yhat)", confusion_matrix(c, p >= 0.5))
show("accuracy_score(y, yhat)", accuracy_score(c, p >= 0.5))
show("precision_score(y, yhat)", precision_score(c, p >= 0.5))
show("recall_score(y, yhat)", recall_score(c, p >= 0.5))
show("f1_score(y, yhat)", f1_score(c, p >= 0.5))
show("roc_auc_score(y, p)", roc_auc_score(c, p))
show("brier_score_loss(y, p)", brier_score_loss(c, p))
show("log_loss(y, p)", log_loss(c, p))

x = np.log10(pd.read_csv("../../../datasets/data/lynx.csv").lynx.to_numpy(float))
a = AutoReg(x, 4).fit()
show("AutoReg(x, 4).fit()", a.params)
show("ar_select_order(x, 12)", len(ar_select_order(x, 12).ar_lags))
best = ar_select_order(x, 8, glob=True).ar_lags
globbed = AutoReg(x, list(best), hold_back=8).fit()
show("ar_select_order(x, 8, glob=True)", len(best), np.sum(globbed.resid ** 2))
show("acorr_ljungbox(r, lags=10, model_df=4)", acorr_ljungbox(a.resid, lags=10, model_df=4))
yx = np.column_stack([x[2:], np.sin(np.arange(1.0, 113) ** 2)])
show("grangercausalitytests(yx, [4])", grangercausalitytests(yx, [4], verbose=False)[4][0]["ssr_ftest"][:2])
show('fit(cov_type="HAC", cov_kwds={"maxlags": 4})',
     ols("lpsa ~ lcavol + svi", df).fit(cov_type="HAC", cov_kwds={"maxlags": 4}).bse)
