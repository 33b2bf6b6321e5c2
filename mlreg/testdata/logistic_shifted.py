"""Reference values for logistic regressions of columns far from zero, by Newton's
method in numbers of 60 digits. Run in this directory, with numpy and mpmath:

    python3 logistic_shifted.py
"""
import csv
import json

from mpmath import exp, log, matrix, mp, mpf, pi

mp.dps = 60
SHIFT = 10**6
rows = list(csv.DictReader(open("birthwt.csv")))
X = [[mpf(1), mpf(r["age"]) + SHIFT, mpf(r["lwt"]) + SHIFT, mpf(r["smoke"])] for r in rows]
LOW = [int(r["low"]) for r in rows]
RACE = [int(r["race"]) - 1 for r in rows]


def newton(y, q, ridge, prior=None):
    """Maximum of the log-likelihood of q classes less sum_j ridge_j b_j^2."""
    n, k, m = len(X), 4, q - 1
    # From the centred columns: a start near enough for pure Newton steps.
    b = matrix(m * k, 1)
    for step in range(60):
        g, h, loss = matrix(m * k, 1), matrix(m * k, m * k), mpf(0)
        for x, cls in zip(X, y):
            eta = [mpf(0)] + [sum(b[c * k + j] * x[j] for j in range(k)) for c in range(m)]
            total = sum(exp(e) for e in eta)
            p = [exp(e) / total for e in eta]
            loss -= log(p[cls])
            for c in range(m):
                r = (1 if cls == c + 1 else 0) - p[c + 1]
                for j in range(k):
                    g[c * k + j] += r * x[j]
                for e in range(m):
                    v = (p[c + 1] if c == e else 0) - p[c + 1] * p[e + 1]
                    for i in range(k):
                        for j in range(k):
                            h[c * k + i, e * k + j] += v * x[i] * x[j]
        for i in range(m * k):
            g[i] -= 2 * ridge[i % k] * b[i]
            h[i, i] += 2 * ridge[i % k]
        inverse = h**-1
        move = inverse * g
        b += move
        if (g.T * move)[0] < mpf(10) ** -70:
            break
    else:
        raise SystemExit("no convergence")
    return {
        "coef": [float(v) for v in b], "vcov": [float(v) for v in inverse], "deviance": float(2 * loss),
        "logdet": float(log(mp.det(inverse))), "loglik": float(-loss),
    }


half = mpf(1) / 2
out = {
    "plain": newton(LOW, 2, [0, 0, 0, 0]),
    "ridge": newton(LOW, 2, [0, half, half, half]),
    "under": newton(LOW, 2, [half, half, half, half]),
    "classes": newton(RACE, 3, [0, 0, 0, 0]),
}
json.dump(out, open("logistic_shifted.json", "w"), indent=0)
