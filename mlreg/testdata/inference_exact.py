# Diagnostics of the Longley regression in 60-digit arithmetic, because R and
# statsmodels keep only 7 to 10 digits of some of them there; run in mlreg/testdata as
#   /usr/bin/python3 inference_exact.py > inference_exact.json
import csv
import json
from mpmath import mp, mpf, matrix, sqrt

mp.dps = 60
with open("longley.csv") as file:
    rows = list(csv.DictReader(file))
terms = ["GNP.deflator", "GNP", "Unemployed", "Armed.Forces", "Population", "Year"]
# The data as float64 has them.
a = matrix([[mpf(1)] + [mpf(float(r[t])) for t in terms] for r in rows])
y = matrix([mpf(float(r["Employed"])) for r in rows])
n, k = a.rows, a.cols
g = (a.T * a) ** -1
b = g * a.T * y
res = y - a * b
rss = sum(r * r for r in res)
s2 = rss / (n - k)
h = [(a[i, :] * g * a[i, :].T)[0] for i in range(n)]
si = [sqrt((rss - res[i] ** 2 / (1 - h[i])) / (n - k - 1)) for i in range(n)]


def sandwich(c):
    return list(g * (a.T * mp.diag([c(i) * res[i] ** 2 for i in range(n)]) * a) * g)


db = [[(g * a[i, :].T)[j] * res[i] / (1 - h[i]) for j in range(k)] for i in range(n)]
out = {
    "coef": list(b), "stderr": [sqrt(s2 * g[j, j]) for j in range(k)], "vcov": [s2 * v for v in g],
    "hc0": sandwich(lambda i: 1), "hc1": sandwich(lambda i: mpf(n) / (n - k)),
    "hc2": sandwich(lambda i: 1 / (1 - h[i])), "hc3": sandwich(lambda i: 1 / (1 - h[i]) ** 2),
    "hat": h, "sigma_i": si,
    "rstandard": [res[i] / sqrt(s2 * (1 - h[i])) for i in range(n)],
    "rstudent": [res[i] / (si[i] * sqrt(1 - h[i])) for i in range(n)],
    "cook": [res[i] ** 2 / (k * s2) * h[i] / (1 - h[i]) ** 2 for i in range(n)],
    "dffits": [res[i] / si[i] * sqrt(h[i]) / (1 - h[i]) for i in range(n)],
    "covratio": [(si[i] ** 2 / s2) ** k / (1 - h[i]) for i in range(n)],
    "dfbeta": [v for row in db for v in row],
    "dfbetas": [db[i][j] / (si[i] * sqrt(g[j, j])) for i in range(n) for j in range(k)],
    "press": [sum((res[i] / (1 - h[i])) ** 2 for i in range(n))],
    "dw": [sum((res[i] - res[i - 1]) ** 2 for i in range(1, n)) / rss],
    "vif": [g[j, j] * sum((a[i, j] - sum(a[:, j]) / n) ** 2 for i in range(n)) for j in range(1, k)],
}
print('{\n"longley": {\n' + ",\n".join("  %s: %s" % (json.dumps(q), json.dumps([float(v) for v in values])) for q, values in out.items()) + "\n}\n}")
