"""Optima of restricted likelihoods to 15 digits: /usr/bin/python3 extreme.py > extreme_exact.json.

The data are those of extreme.json. The criterion is -2 log of the restricted likelihood
with all constants, in arithmetic of 50 digits; V = I + Z D Z' of a group is inverted by
V^-1 = I - Z (I + D Z'Z)^-1 D Z'.
"""

import json

from mpmath import mp, mpf, matrix, log, pi, lu_solve, det, sqrt, exp, eye

mp.dps = 50
data = json.load(open("extreme.json"))["data"]


def products(d, key, effects):
    """Z'Z, Z'[X y] and [X y]'[X y] of every group, and which effect a column of Z belongs to."""
    out = []
    for g in sorted(set(d[key])):
        rows = [i for i, v in enumerate(d[key]) if v == g]
        z, of = [], []
        for e, (value, within) in enumerate(effects):
            for label in sorted({within(d, r) for r in rows}):
                z.append([value(d, r) if within(d, r) == label else mpf(0) for r in rows])
                of.append(e)
        z = matrix(z).T
        x = matrix([[mpf(1), mpf(d["x"][r]), mpf(d["y"][r])] for r in rows])
        out.append((z.T * z, z.T * x, x.T * x, of))
    return out


def criterion(n, groups, ratios):
    """The criterion at variances relative to sigma^2, its best sigma^2, b* and its covariance."""
    f, logdet = matrix(3, 3), mpf(0)
    for zz, zx, xx, of in groups:
        k = len(of)
        m = eye(k)
        for i in range(k):
            for j in range(k):
                m[i, j] += ratios[of[i]] * zz[i, j]
        right = matrix(k, 3)
        for i in range(k):
            for j in range(3):
                right[i, j] = ratios[of[i]] * zx[i, j]
        f += xx - zx.T * (m**-1 * right)
        logdet += log(det(m))
    a, b = f[:2, :2], f[:2, 2]
    beta = lu_solve(a, b)
    s2 = (f[2, 2] - (b.T * beta)[0]) / (n - 2)
    return (n - 2) * (log(2 * pi * s2) + 1) + logdet + log(det(a)), s2, beta, a**-1 * s2


all_rows = lambda d, r: 0
one = (lambda d, r: mpf(1), all_rows)
slope = (lambda d, r: mpf(d["x"][r]), all_rows)


def optimum(name, key, effects, start):
    d = data[name]
    n, groups, k, h = len(d["y"]), products(d, key, effects), len(effects), mpf(10) ** -12

    def f(t):
        return criterion(n, groups, [exp(2 * v) for v in t])[0]

    def gradient(t):
        out = []
        for i in range(k):
            up, down = list(t), list(t)
            up[i] += h
            down[i] -= h
            out.append((f(up) - f(down)) / (2 * h))
        return out

    t = [log(mpf(v)) for v in start]
    for _ in range(30):  # Newton's method
        g, hessian = gradient(t), matrix(k, k)
        for j in range(k):
            up, down = list(t), list(t)
            up[j] += mpf(10) ** -8
            down[j] -= mpf(10) ** -8
            gu, gd = gradient(up), gradient(down)
            for i in range(k):
                hessian[i, j] = (gu[i] - gd[i]) / (2 * mpf(10) ** -8)
        step = lu_solve(hessian, matrix(g))
        t = [v - d for v, d in zip(t, step)]
        if max(abs(d) for d in step) < mpf(10) ** -16:
            break
    else:
        raise SystemExit(name + " does not converge")
    c, s2, beta, cov = criterion(n, groups, [exp(2 * v) for v in t])
    return {"criterion": float(c), "sigma": float(sqrt(s2)), "beta": [float(v) for v in beta],
            "stderr": [float(sqrt(cov[i, i])) for i in range(2)], "sd": [float(exp(v) * sqrt(s2)) for v in t]}


print(json.dumps({
    "far": optimum("far", "g", [one], [6e5]),
    "steep": optimum("steep", "g", [one], [1]),
    "slope6": optimum("slope6", "g", [slope], [8e-4]),
    "slope9": optimum("slope9", "g", [slope], [8e-7]),
    "both6": optimum("both6", "g", [one, slope], [656000, 0.89]),
}, indent=1))
