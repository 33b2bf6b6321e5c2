# statsmodels' OLS and scikit-learn's LinearRegression on columns of powers.
import json, math, os, warnings
import numpy as np
import statsmodels.api as sm
from sklearn.linear_model import LinearRegression

warnings.filterwarnings("ignore")


def numbers(values):
    return [float(v) if math.isfinite(v) else None for v in values]


def statsmodels_fit(x, y, powers):
    m = sm.OLS(y, np.column_stack([x**k for k in powers])).fit()
    return {"Coef": numbers(m.params), "StdErr": numbers(m.bse)}


def sklearn_fit(x, y, powers):
    m = LinearRegression(fit_intercept=0 in powers).fit(np.column_stack([x**k for k in powers if k > 0]), y)
    intercept = [m.intercept_] if 0 in powers else []
    return {"Coef": numbers(intercept + list(m.coef_)), "StdErr": []}


with open(os.environ["DIGITS_INPUT"]) as file:
    sets = json.load(file)
answers = []
for name, fit in (("statsmodels", statsmodels_fit), ("scikit-learn", sklearn_fit)):
    fits = {s["Name"]: fit(np.array(s["X"]), np.array(s["Y"]), s["Powers"]) for s in sets}
    answers.append({"Program": name, "Sets": fits})
print(json.dumps(answers))
