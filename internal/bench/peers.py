"""The peers of the benchmark that are written in Python.

    peers.py program task n p data answer runs

Each function below is program_task(x, y): it prepares, outside the time
measured, and returns what is timed; or a pair of that and of a function that
makes the answer of its result. Files are little-endian float64: X by rows
and then y; the answer's numbers. Prints seconds and version as JSON.
"""

import gc
import json
import platform
import sys
import time

import numpy as np


def with_ones(x):
    return np.column_stack((np.ones(len(x)), x))


def numpy_ols(x, y):
    """Normal equations by Cholesky, standard errors from the inverse."""
    from scipy.linalg import cho_factor, cho_solve
    from scipy.linalg.lapack import dpotri

    a = with_ones(x)
    n, k = a.shape

    def run():
        factor = cho_factor(a.T @ a, overwrite_a=True)
        b = cho_solve(factor, a.T @ y)
        r = y - a @ b
        inverse, info = dpotri(factor[0], lower=factor[1])
        assert info == 0
        return np.concatenate((b, np.sqrt(r @ r / (n - k) * np.diag(inverse))))

    return run


def lagged(x, q):
    """The design of lags 1 to q of every column, column by column, with its ones."""
    n = len(x)
    a = np.empty((n - q, 1 + q * x.shape[1]))
    a[:, 0] = 1
    for j in range(x.shape[1]):
        for k in range(1, q + 1):
            a[:, j * q + k] = x[q - k : n - k, j]
    return a


def lags_of(x):
    return 50 if len(x) >= 10_000 else 3


def numpy_lags(x, y):
    """Build the matrix of lags, then numpy_ols."""
    q = lags_of(x)
    return lambda: numpy_ols(lagged(x, q)[:, 1:], y[q:])()


def statsmodels_lags(x, y):
    import statsmodels.api as sm

    q = lags_of(x)

    def run():
        fit = sm.OLS(y[q:], lagged(x, q)).fit()
        return np.concatenate((fit.params, fit.bse))

    return run


def numpy_lagorders(x, y):
    """A solution of the normal equations for every order."""
    q = lags_of(x)

    def run():
        a, t = lagged(x, q), y[q:]
        g, c = a.T @ a, a.T @ t
        rss = []
        for k in range(q + 1):
            keep = [0] + [1 + j * q + i for j in range(x.shape[1]) for i in range(k)]
            r = t - a[:, keep] @ np.linalg.solve(g[np.ix_(keep, keep)], c[keep])
            rss.append(r @ r)
        return rss

    return run


def counts(n, p):
    """ours.counts."""
    w = np.zeros((10_000 if p >= 8 else 200, n))
    state = 1
    for row in w:
        for _ in range(n):
            state = state * 16807 % 2147483647
            row[state % n] += 1
    return w


def numpy_bootstrap(x, y):
    """Batched weighted normal equations, of the products of the rows."""
    a = with_ones(x)
    n, k = a.shape
    w = counts(n, k - 1)

    def run():
        g = (w @ (a[:, :, None] * a[:, None, :]).reshape(n, k * k)).reshape(-1, k, k)
        return np.linalg.solve(g, (w @ (a * y[:, None]))[:, :, None])[:, :, 0]

    return run, lambda b: np.concatenate((b.mean(axis=0), b.std(axis=0, ddof=1)))


def numpy_jackknifeplus(x, y):
    a = with_ones(x)
    n = len(y)

    def run():
        inverse = np.linalg.inv(a.T @ a)
        b = inverse @ (a.T @ y)
        half = a @ inverse
        loo = (y - a @ b) / (1 - (half * a).sum(axis=1))
        without = (a[:100] @ b)[:, None] - (a[:100] @ half.T) * loo
        k = int(np.ceil(0.9 * (n + 1) - 1e-9))
        lower = np.partition(without - abs(loo), n - k, axis=1)[:, n - k]
        upper = np.partition(without + abs(loo), k - 1, axis=1)[:, k - 1]
        return np.concatenate((lower, upper))

    return run


def sklearn_ols(x, y):
    from sklearn.linear_model import LinearRegression

    def run():
        fit = LinearRegression().fit(x, y)
        return np.concatenate(([fit.intercept_], fit.coef_))

    return run


def statsmodels_ols(x, y):
    import statsmodels.api as sm

    a = with_ones(x)

    def run():
        fit = sm.OLS(y, a).fit()
        return np.concatenate((fit.params, fit.bse))

    return run


def numpy_leverage(x, y):
    a = with_ones(x)

    def run():
        q = np.linalg.qr(a)[0]
        return np.einsum("ij,ij->i", q, q)

    return run


def statsmodels_leverages(x, y):
    import statsmodels.api as sm

    fit = sm.OLS(y, with_ones(x)).fit()
    return lambda: fit.get_influence().hat_matrix_diag


def frame(x):
    """ours.table."""
    import pandas as pd

    n = len(x)
    k = (np.abs(x[:, 0]) * 1e6).astype(int) % 1000
    g = np.array(["group %d" % v for v in k], dtype=object)
    return pd.DataFrame({"k": k, "g": g, "x": x[:, 0].copy(), "y": x[:, 1].copy(), "id": np.arange(n) * 7919 % n})


def on_frame(column, run):
    """The rows of the result, and every hundredth part of its column."""
    return run, lambda out: [len(out), *out[column].iloc[np.arange(100) * (len(out) - 1) // 99]]


def pandas_where(x, y):
    df = frame(x)
    return on_frame("y", lambda: df[(df.x > 0.5) & (df.k < 500)])


def pandas_sort(x, y):
    df = frame(x)
    return on_frame("y", lambda: df.sort_values("x"))


def pandas_group(x, y, key="k", column="a"):
    df = frame(x)
    return on_frame(column, lambda: df.groupby(key).agg(a=("x", "mean"), b=("y", "std"), c=("y", "median")))


def pandas_grouptext(x, y):
    return pandas_group(x, y, "g", "c")


def pandas_join(x, y):
    import pandas as pd

    df = frame(x)
    n = len(x)
    right = pd.DataFrame({"id": np.arange(n)[::-1].copy(), "z": y})
    return on_frame("z", lambda: df.merge(right, on="id"))


def labels(y):
    """The classes of the tasks on logistic regression."""
    return (y > 1).astype(float)


def sklearn_logistic(x, y):
    from sklearn.linear_model import LogisticRegression

    y = labels(y)

    def run():
        fit = LogisticRegression(penalty=None, solver="lbfgs", max_iter=1000).fit(x, y)
        return np.concatenate((fit.intercept_, fit.coef_[0]))

    return run


def statsmodels_logistic(x, y):
    import statsmodels.api as sm

    a, y = with_ones(x), labels(y)

    def run():
        fit = sm.Logit(y, a).fit(disp=0)
        return np.concatenate((fit.params, fit.bse))

    return run


def counts_of(y):
    """ours.countsOf."""
    return np.floor(np.clip(y, 0, 8))


def sklearn_poisson(x, y):
    from sklearn.linear_model import PoissonRegressor

    y = counts_of(y)

    def run():
        fit = PoissonRegressor(alpha=0, max_iter=1000, tol=1e-6).fit(x, y)
        return np.concatenate(([fit.intercept_], fit.coef_))

    return run


def statsmodels_poisson(x, y):
    import statsmodels.api as sm

    a, y = with_ones(x), counts_of(y)

    def run():
        fit = sm.GLM(y, a, family=sm.families.Poisson()).fit()
        return np.concatenate((fit.params, fit.bse))

    return run


def sparse(x, y):
    """ours.Sparse."""
    p = x.shape[1]
    noise = y - 1 - x @ ((np.arange(1, p + 1) % 5 - 2) / 4)
    return 1 + x[:, np.arange(20) * (p // 20)] @ np.tile([1, -1], 10) + noise


# A gap of 1e-6 of the null RSS: scikit-learn has half the squares.
tol = 5e-7


def sklearn_lassopath(x, y):
    from sklearn.linear_model import lasso_path

    y = sparse(x, y)
    n, p = x.shape
    x, y = np.asfortranarray(x - x.mean(axis=0)), y - y.mean()

    def run():
        return lasso_path(x, y, eps=0.001 if n > p else 0.01, n_alphas=100, tol=tol, max_iter=100_000)

    def answer(result):
        alpha, b, _ = result
        r = y[:, None] - x @ b
        rss, ry = (r**2).sum(axis=0), y @ r
        objective = rss + 2 * n * alpha * abs(b).sum(axis=0)
        most = n * alpha / abs(x.T @ r).max(axis=0)
        s = np.clip(ry / rss, -most, most)
        return np.append(objective, (objective - 2 * s * ry + s**2 * rss).max() / (y @ y))

    return run, answer


def sklearn_lassocv(x, y):
    from sklearn.linear_model import LassoCV
    from sklearn.model_selection import PredefinedSplit

    y = sparse(x, y)
    folds = PredefinedSplit(np.arange(len(y)) % 10)

    def run():
        fit = LassoCV(eps=0.01, n_alphas=100, tol=tol, max_iter=100_000, cv=folds, n_jobs=2).fit(x, y)
        return fit.mse_path_.mean(axis=1)

    return run


def csv_file(x, y):
    """The table as a file, written unless it is there: ours.csvFile."""
    import os
    import tempfile

    import pandas as pd

    path = os.path.join(tempfile.gettempdir(), "regbook_bench_%d_%d.csv" % x.shape)
    if not os.path.exists(path):
        table = pd.DataFrame(np.column_stack((x, y)), columns=["x%d" % (j + 1) for j in range(x.shape[1])] + ["y"])
        table.to_csv(path, index=False)
    return path


def pandas_readcsv(x, y):
    import pandas as pd

    path = csv_file(x, y)
    return lambda: pd.read_csv(path), lambda table: table.to_numpy().mean(axis=0)


def pandas_csvmoments(x, y):
    """The file into memory, then the cross-products of the centered columns."""
    import pandas as pd

    path = csv_file(x, y)

    def run():
        a = pd.read_csv(path).to_numpy()
        a -= a.mean(axis=0)
        s = a.T @ a
        return np.linalg.solve(s[:-1, :-1], s[:-1, -1])

    return run


def version(program):
    """Names the program and the BLAS that NumPy, which they all use, has."""
    package = __import__(program)
    name = {"numpy": "NumPy", "sklearn": "scikit-learn"}.get(program, program)
    blas = "BLAS unknown"
    try:
        from threadpoolctl import threadpool_info

        for lib in threadpool_info():
            if lib["user_api"] == "blas":
                blas = "{internal_api} {version} ({architecture}, {num_threads} threads)".format(**lib)
    except ImportError:
        pass
    return "%s %s on Python %s, %s" % (name, package.__version__, platform.python_version(), blas)


def forget_peak():
    """Has Linux count the most memory that is resident from now on."""
    try:
        with open("/proc/self/clear_refs", "w") as f:
            f.write("5")
    except OSError:
        pass


def peak():
    """The most memory that was resident, in bytes; 0 if that is not known."""
    try:
        with open("/proc/self/status") as f:
            return 1024 * next(int(line.split()[1]) for line in f if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return 0


def timed(run):
    """ours.timed"""
    start = time.perf_counter()
    times = 0
    while True:
        result = run()
        times += 1
        passed = time.perf_counter() - start
        if times == 1:
            first = passed
        if first >= 0.02 or passed >= 0.2:
            return passed / times, result


def main(program, task, n, p, data, answer, runs):
    n, p = int(n), int(p)
    values = np.fromfile(data, dtype="<f8")
    run = globals()[program + "_" + task](values[: n * p].reshape(n, p), values[n * p :])
    run, finish = run if isinstance(run, tuple) else (run, lambda result: result)
    seconds = []
    gc.collect()
    forget_peak()
    for _ in range(int(runs)):
        seconds_of_one, result = timed(run)
        seconds.append(seconds_of_one)
    most = peak()
    np.asarray(finish(result), dtype="<f8").tofile(answer)
    print(json.dumps({"seconds": seconds, "peak": most, "version": version(program)}))


main(*sys.argv[1:])
