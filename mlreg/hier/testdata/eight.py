"""Posterior of tau of the eight schools (Rubin 1981) by mpmath to 30 digits, uniform and
half-Cauchy(5) prior: python3 eight.py > eight.json. Gelman et al., Bayesian
Data Analysis, 3rd ed., equation 5.21."""
import json
from mpmath import mp, mpf, sqrt, exp, quad, findroot, inf
mp.dps = 30
y = [mpf(v) for v in (28, 8, -3, 7, -1, 1, 18, 12)]
se = [mpf(v) for v in (15, 10, 16, 11, 9, 11, 10, 18)]
def parts(tau):
    w = [1 / (s * s + tau * tau) for s in se]
    v = 1 / sum(w)
    return w, v, v * sum(a * b for a, b in zip(w, y))
def likelihood(tau):
    w, v, mu = parts(tau)
    out = sqrt(v)
    for a, b in zip(w, y):
        out *= sqrt(a) * exp(-a * (b - mu) ** 2 / 2)
    return out
cuts = [0, 2, 5, 10, 20, 40, 100, 400, 2000, inf]
def answer(prior):
    f = lambda t: prior(t) * likelihood(t)
    norm = quad(f, cuts)
    mean = lambda g: quad(lambda t: f(t) * g(t), cuts) / norm
    m1 = mean(lambda t: t)
    cdf = lambda x: quad(f, [0, x / 2, x]) / norm
    out = {"mean": m1, "sd": sqrt(mean(lambda t: t * t) - m1 ** 2),
           "quantiles": [findroot(lambda x: cdf(x) - p, (x0, x0 * 1.1), solver="secant")
                         for p, x0 in ((mpf("0.25"), 2.2), (mpf("0.5"), 5), (mpf("0.95"), 17))]}
    mu = mean(lambda t: parts(t)[2])
    out["mu"] = mu
    out["mu_sd"] = sqrt(mean(lambda t: parts(t)[1] + parts(t)[2] ** 2) - mu ** 2)
    out["theta"], out["theta_sd"] = [], []
    for a, s in zip(y, se):
        def moments(t):
            w, v, m = parts(t)
            own = t * t / (t * t + s * s)
            return own * a + (1 - own) * m, own * s * s + (1 - own) ** 2 * v
        e = mean(lambda t: moments(t)[0])
        out["theta"].append(e)
        out["theta_sd"].append(sqrt(mean(lambda t: moments(t)[1] + moments(t)[0] ** 2) - e * e))
    return json.loads(json.dumps(out, default=float))
print(json.dumps({"uniform": answer(lambda t: mpf(1)), "cauchy": answer(lambda t: 1 / (1 + (t / 5) ** 2))}))
