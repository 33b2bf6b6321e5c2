"""Exact posteriors and evidences in rational arithmetic: bayes_exact.json.

    /usr/bin/python3 bayes_exact.py > bayes_exact.json

Every case is y = A b + e with e ~ N(0, sigma2 I), A = [1 X] and b ~ N(m0, V0),
V0 diagonal; a flat intercept has prior precision 0. Means and covariances are
rational numbers; logarithms of them are taken to 40 digits.
"""
import json
from decimal import Decimal, getcontext
from fractions import Fraction as F

getcontext().prec = 60
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097")


def dec(q):
    return Decimal(q.numerator) / Decimal(q.denominator)


def solve(a, b):
    """Gauss-Jordan on exact numbers: a^-1 b and det a."""
    n = len(a)
    m = [row[:] + rhs[:] for row, rhs in zip(a, b)]
    det = F(1)
    for i in range(n):
        p = next(r for r in range(i, n) if m[r][i] != 0)
        if p != i:
            m[i], m[p] = m[p], m[i]
            det = -det
        det *= m[i][i]
        m[i] = [v / m[i][i] for v in m[i]]
        for r in range(n):
            if r != i and m[r][i] != 0:
                f = m[r][i]
                m[r] = [v - f * w for v, w in zip(m[r], m[i])]
    return [row[n:] for row in m], det


def case(name, x, y, m0, v0, sigma2, new, flat):
    n, p = len(x), len(x[0])
    a = [[F(1)] + [F(v) for v in row] for row in x]
    k = p + 1
    sigma2 = F(sigma2)
    prec = [F(0) if (flat and j == 0) else 1 / F(v0[j]) for j in range(k)]
    lam = [[sum(a[i][r] * a[i][c] for i in range(n)) / sigma2 + (prec[r] if r == c else 0) for c in range(k)] for r in range(k)]
    rhs = [[sum(a[i][r] * F(y[i]) for i in range(n)) / sigma2 + prec[r] * F(m0[r])] for r in range(k)]
    mean, det = solve(lam, rhs)
    mean = [v[0] for v in mean]
    eye = [[F(int(r == c)) for c in range(k)] for r in range(k)]
    cov, _ = solve(lam, eye)
    # log p(y) = log p(y|b) + log p(b) - log p(b|y) at b = mean
    rss = sum((F(y[i]) - sum(u * v for u, v in zip(a[i], mean))) ** 2 for i in range(n))
    pen = sum(prec[j] * (mean[j] - F(m0[j])) ** 2 for j in range(k))
    proper = [j for j in range(k) if prec[j] != 0]
    log = -Decimal(n) / 2 * (2 * PI * dec(sigma2)).ln() - dec(rss / sigma2 + pen) / 2
    log += sum((dec(prec[j]).ln() for j in proper), Decimal(0)) / 2 - Decimal(len(proper)) / 2 * (2 * PI).ln()
    log += Decimal(k) / 2 * (2 * PI).ln() - dec(det).ln() / 2
    z = [F(1)] + [F(v) for v in new]
    var = sum(z[r] * cov[r][c] * z[c] for r in range(k) for c in range(k))
    out = lambda q: format(dec(q), ".25e")
    return {
        "name": name, "x": [[float(v) for v in row] for row in x], "y": [float(v) for v in y],
        "m0": [float(v) for v in m0], "v0": [float(v) for v in v0], "sigma2": float(sigma2), "new": [float(v) for v in new],
        "flat": flat, "mean": [out(v) for v in mean], "cov": [[out(v) for v in row] for row in cov],
        "rss": out(rss), "logEvidence": format(log, ".25e"),
        "newMean": out(sum(u * v for u, v in zip(z, mean))), "newVar": out(var),
    }


small = [[3, 1], [1, 4], [2, 2], [7, 1], [5, 3], [6, 8], [4, 4]]
resp = [2, 7, 1, 8, 2, 8, 5]
wide = [[1, 2, 0, 1, 3, 1], [0, 1, 1, 2, 2, 5], [4, 1, 0, 0, 1, 2]]
poly = [[t ** j for j in range(1, 9)] for t in range(12)]
polyresp = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]
quartic = [[t ** j for j in range(1, 5)] for t in range(12)]
near = [t ** 2 - 3 * t ** 3 + F((-1) ** t, 1024) for t in range(12)]
cases = [
    case("flat", small, resp, [0, 0, 0], [0, 2, 2], F(3, 2), [2, 5], True),
    case("intercept under the prior", small, resp, [1, -1, F(1, 2)], [4, 1, F(1, 4)], F(3, 2), [2, 5], False),
    case("wide, flat", wide, resp[:3], [0] * 7, [0] + [2] * 6, F(1, 2), [1, 1, 1, 1, 1, 1], True),
    case("wide, intercept under the prior", wide, resp[:3], [1] * 7, [2] * 7, F(1, 2), [1, 1, 1, 1, 1, 1], False),
    case("quartic, nearly exact", quartic, near, [0] * 5, [0] + [1024] * 4, F(1, 1024), [F(11, 2) ** j for j in range(1, 5)], True),
    case("raw polynomial of degree 8", poly, polyresp, [0] * 9, [0] + [1] * 8, F(1, 4), [F(11, 2) ** j for j in range(1, 9)], True),
]
print(json.dumps(cases, indent=1))
