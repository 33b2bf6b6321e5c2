# Reference tail probabilities to 50 digits.
# Command: /usr/bin/python3 distributions.py > distributions_mpmath.csv
# Columns: what, x, d1, d2, value. The t, F and chi-squared tails are written as
# regularised incomplete beta and gamma functions and summed by a series of
# positive terms, at 60 digits, with mpmath 1.2.1.
from mpmath import mp, mpf, loggamma, exp, log, erfc, sqrt, nstr
mp.dps = 60
EPS = mpf(10) ** -45

def series_beta(a, b, x):
    """I_x(a,b) = x^a (1-x)^b / (a B(a,b)) sum_k (a+b)_k/(a+1)_k x^k"""
    pre = exp(a * log(x) + b * log(1 - x) - loggamma(a) - loggamma(b) + loggamma(a + b)) / a
    s, t, k = mpf(1), mpf(1), 0
    while t > EPS * s or (a + b + k) * x > (a + 1 + k):
        t *= (a + b + k) / (a + 1 + k) * x
        s += t
        k += 1
        if k > 20000:
            return None
    return pre * s

def ibeta(a, b, x):
    if x < a / (a + b):
        return series_beta(a, b, x)
    v = series_beta(b, a, 1 - x)
    return None if v is None else 1 - v

def f_upper(f, d1, d2):
    f, d1, d2 = mpf(f), mpf(d1), mpf(d2)
    return ibeta(d2 / 2, d1 / 2, d2 / (d2 + d1 * f))

def t_two(t, nu):
    t, nu = mpf(t), mpf(nu)
    return ibeta(nu / 2, mpf(1) / 2, nu / (nu + t * t))

def gamma_upper(a, x):
    pre = exp(a * log(x) - x - loggamma(a + 1))
    s, t, k = mpf(1), mpf(1), 0
    while t > mpf(10) ** -(mp.dps) * s:
        k += 1
        t *= x / (a + k)
        s += t
        if k > 20000:
            return None
    return 1 - pre * s

def chi2_upper(x, nu):
    a, x = mpf(nu) / 2, mpf(x) / 2
    mp.dps = 380  # enough that 1 - P keeps 20 of them
    v = gamma_upper(a, x)
    mp.dps = 60
    return v

def row(what, x, d1, d2, v):
    if v is not None and v > mpf(10) ** -305:
        print(f"{what},{x!r},{d1!r},{d2!r},{nstr(v, 20)}")

print("what,x,d1,d2,value")
for x in [1e-5, .1, .5, 1.0, 1.5, 1.959963984540054, 3.0, 5.0, 8.0, 12.5, 20.0, 30.0, 37.0]:
    row("normal", x, 0, 0, erfc(mpf(x) / sqrt(2)))
nus = [.5, 1.0, 1.7, 2.0, 5.0, 9.0, 33.0, 100.0, 1234.5, 1e4, 1e5, 1e6, 1e7]
for nu in nus:
    for t in [1e-6, .01, .3, .7, 1.0, 1.3, 2.0, 3.5, 6.0, 10.0, 20.0, 37.0, 1e3, 1e10, 1e100]:
        row("t", t, 1, nu, t_two(t, nu))
ds = [.5, 1.0, 3.0, 10.0, 77.5, 1e3, 1e5, 1e7]
for d1 in ds:
    for d2 in ds:
        for f in [.01, .3, .9, .999, 1.0, 1.001, 1.02, 1.3, 2.0, 4.0, 30.0, 1e4, 1e20]:
            row("F", f, d1, d2, f_upper(f, d1, d2))
for nu in [.5, 1.0, 2.0, 3.0, 10.0, 77.5, 1e3, 1e5]:
    for r in [.001, .1, .5, .9, .99, 1.0, 1.01, 1.1, 1.5, 2.0, 5.0, 20.0, 100.0, 500.0]:
        x = nu * r
        if x < 1400 + nu:
            row("chi2", x, nu, 0, chi2_upper(x, nu))
