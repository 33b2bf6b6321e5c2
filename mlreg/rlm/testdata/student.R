# The greatest maximum of the likelihood of Student-t regressions: EM from 300 planes through
# k rows drawn at random, besides least squares and least absolute deviations. The responses
# have two planes, leverage points or heavy tails, so that several maxima are common. Starts
# whose scale runs to 0 are left out.
# Rscript student.R > student.json
suppressMessages({library(quantreg); library(jsonlite)})
slope <- function(nu, u2) length(u2) * (digamma((nu + 1) / 2) - digamma(nu / 2) - 1 / nu) + sum((nu + 1) * u2 / (nu * (nu + u2)) - log1p(u2 / nu))
bestNu <- function(u2) {
  if (slope(1e4, u2) >= 0) return(Inf)
  if (slope(0.5, u2) <= 0) return(0.5)
  exp(uniroot(function(l) slope(exp(l), u2), log(c(0.5, 1e4)), tol = 1e-10)$root)
}
em <- function(X, y, b, known, steps, tol) { # until no coefficient moves by tol
  e <- as.vector(y - X %*% b)
  sc <- median(abs(e[abs(e) > 1e-9])) / 0.6745
  for (i in seq_len(steps)) {
    nu <- if (is.null(known)) bestNu((e / sc)^2) else known
    v <- if (is.finite(nu)) (nu + 1) / (nu + (e / sc)^2) else rep(1, length(y))
    f <- .lm.fit(X * sqrt(v), y * sqrt(v))
    if (f$rank < ncol(X)) return(NULL)
    move <- max(abs(f$coefficients - b)) / sc
    b <- f$coefficients; e <- as.vector(y - X %*% b)
    sc <- sqrt(sum(v * e^2) / sum(v))
    if (sc < 1e-6 * sd(y)) return(NULL)
    if (move <= tol) break
  }
  list(b = b, scale = sc, nu = nu, logLik = sum(dt(e / sc, nu, log = TRUE)) - length(y) * log(sc))
}
cases <- list()
for (seed in 1:30) {
  set.seed(seed)
  n <- c(16, 24, 32, 48)[1 + seed %% 4]; p <- 1 + seed %% 3
  x <- round(matrix(rnorm(n * p), n), 3)
  other <- runif(n) < c(0.3, 0.4, 0.45)[1 + seed %% 3]
  e <- switch(1 + seed %% 3, rt(n, 1.5), rnorm(n, 0, 0.1), rt(n, 3))
  y <- 1 + x[, 1] + e
  if (seed %% 2) y[other] <- (5 - 3 * x[, 1] + e)[other] else { x[other, 1] <- x[other, 1] + 5; y[other] <- e[other] }
  y <- round(y, 3)
  X <- cbind(1, x)
  for (nu in list(NULL, 1)) {
    starts <- list(lm.fit(X, y)$coefficients, suppressWarnings(rq.fit.br(X, y)$coefficients))
    for (s in 1:300) {
      i <- sample(n, p + 1)
      b <- tryCatch(solve(X[i, ], y[i]), error = function(e) NULL)
      if (!is.null(b)) starts <- c(starts, list(b))
    }
    found <- list()
    for (b in starts) {
      f <- em(X, y, b, nu, 300, 1e-5)
      if (is.null(f)) next
      same <- vapply(found, function(g) abs(g$logLik - f$logLik) < 1e-3, NA)
      if (!any(same)) found <- c(found, list(em(X, y, f$b, nu, 20000, 1e-13)))
    }
    found <- Filter(Negate(is.null), found)
    ll <- vapply(found, function(g) g$logLik, 0)
    keep <- found[!duplicated(round(ll, 4))]
    ll <- sort(vapply(keep, function(g) g$logLik, 0), decreasing = TRUE)
    best <- found[[which.max(vapply(found, function(g) g$logLik, 0))]]
    cases <- c(cases, list(list(x = x, y = y, known = if (is.null(nu)) 0 else nu, maxima = I(ll),
      logLik = best$logLik, coef = as.vector(best$b), nu = if (is.finite(best$nu)) best$nu else -1, scale = best$scale)))
    cat(seed, n, p, if (is.null(nu)) "est" else nu, round(ll, 3), "\n", file = stderr())
  }
}
cat(toJSON(cases, digits = NA, auto_unbox = TRUE))
