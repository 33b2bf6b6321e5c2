# Quantile regressions by quantreg, robust regressions by MASS, Student-t regression by a
# direct maximization: Rscript noise.R > noise.json
suppressMessages({library(quantreg); library(MASS); library(jsonlite)})
data(engel); data(stackloss)
set.seed(7)
n <- 60
made <- data.frame(a = rnorm(n), b = rexp(n), c = rnorm(n, 2000, 5))
made$y <- with(made, 3 + a - 2 * b + 0.1 * (c - 2000) + rt(n, 3) * (1 + 0.5 * b))
w <- rep_len(c(1, 2, 0.5), n)
sets <- list(
  engel = list(y = engel$foodexp, x = cbind(income = engel$income)),
  stack = list(y = stackloss$stack.loss, x = as.matrix(stackloss[, 1:3])),
  made = list(y = made$y, x = as.matrix(made[, 1:3])),
  weighted = list(y = made$y, x = as.matrix(made[, 1:3]), w = w))
quantiles <- list(); robust <- list(); student <- list()
num <- function(v) unname(as.vector(v))
for (name in names(sets)) {
  s <- sets[[name]]; X <- cbind(1, s$x); wt <- if (is.null(s$w)) rep(1, nrow(X)) else s$w
  df <- data.frame(y = s$y, s$x)
  for (tau in c(0.1, 0.25, 0.5, 0.8)) {
    check <- function(f) { e <- s$y - fitted(f); e * (tau - (e < 0)) }
    f <- suppressWarnings(rq(y ~ ., tau, data = df, weights = wt))
    r <- list(set = name, tau = tau, coef = num(coef(f)), rho = sum(wt * check(f)))
    # rq's own rho leaves out the weights.
    r$logLik <- length(s$y) * (log(tau * (1 - tau)) - 1 - log(r$rho / length(s$y)))
    r$AIC <- -2 * r$logLik + 2 * ncol(X)
    if (is.null(s$w)) stopifnot(all.equal(c(r$rho, r$logLik, r$AIC), c(f$rho, as.numeric(logLik(f)), AIC(f))))
    Xw <- X * wt; yw <- s$y * wt
    for (iid in c(TRUE, FALSE)) {
      k <- if (iid) "rank_iid" else "rank_nid"
      limits <- function(...) { # an infinite limit is +-1e300
        l <- suppressWarnings(rq.fit.br(Xw, yw, tau, ci = TRUE, iid = iid, ...)$coefficients)
        pmin(pmax(l, -1e300), 1e300)
      }
      # With tau - h < 0 quantreg follows the process and fails.
      r[[k]] <- tryCatch(limits()[, 2:3], error = function(e) NULL)
      r[[paste0(k, "_steps")]] <- tryCatch(limits(interp = FALSE)[, c(2, 5)], error = function(e) NULL)
    }
    for (se in c("nid", "iid", "ker")) r[[se]] <- tryCatch(num(suppressWarnings(summary(f, se = se)$coefficients[, 2])), error = function(e) NULL)
    r$null <- sum(wt * check(suppressWarnings(rq(y ~ 1, tau, data = data.frame(y = s$y), weights = wt))))
    quantiles <- c(quantiles, list(r))
  }
  for (m in list(list("Huber M", "MAD"), list("Huber M", "proposal 2"), list("Tukey M", "MAD"))) {
    f <- rlm(X, s$y, weights = wt, psi = if (m[[1]] == "Huber M") psi.huber else psi.bisquare, scale.est = m[[2]], maxit = 5000, acc = 1e-13)
    robust <- c(robust, list(list(set = name, method = m[[1]], scale_of = m[[2]], coef = num(coef(f)), scale = f$s,
      se = num(summary(f)$coefficients[, 2]), w = num(f$w))))
  }
  set.seed(1)
  root <- sqrt(wt)
  f <- rlm(X * root, s$y * root, method = "MM", maxit = 5000, acc = 1e-13, lqs.control = list(nsamp = 20000))
  robust <- c(robust, list(list(set = name, method = "MM", scale_of = "MAD", coef = num(coef(f)), scale = f$s,
    se = num(summary(f)$coefficients[, 2]), w = num(f$w))))
  # Student's t: maximize over b, log s, log nu from several starts.
  k <- ncol(X); center <- c(0, colMeans(s$x)); sd <- c(1, apply(s$x, 2, sd))
  Z <- cbind(1, scale(s$x)); y <- s$y / sd(s$y)
  minus <- function(p, nu = exp(p[k + 2])) {
    sc <- exp(p[k + 1]) / root
    -sum(dt((y - Z %*% p[1:k]) / sc, nu, log = TRUE) - log(sc))
  }
  for (nu in list(NULL, 3)) {
    best <- NULL
    for (start in 1:6) {
      b <- if (start %% 2) coef(lm.wfit(Z, y, wt)) else rq.fit.br(Z, y)$coefficients
      p <- c(b, log(0.3), if (is.null(nu)) log(c(2, 5, 20)[(start + 1) %/% 2]))
      f <- function(p) if (is.null(nu)) minus(p) else minus(p, nu)
      o <- optim(p, f, method = "BFGS", control = list(maxit = 5000, reltol = 1e-15))
      for (i in 1:3) o <- optim(o$par, f, method = "Nelder-Mead", control = list(maxit = 20000, reltol = 1e-16))
      o <- optim(o$par, f, method = "BFGS", control = list(maxit = 5000, reltol = 1e-15))
      if (is.null(best) || o$value < best$value) best <- o
    }
    b <- best$par[1:k] * sd(s$y) / sd; b[1] <- b[1] - sum(b[-1] * center[-1])
    student <- c(student, list(list(set = name, known = !is.null(nu), nu = if (is.null(nu)) exp(best$par[k + 2]) else nu,
      scale = exp(best$par[k + 1]) * sd(s$y), coef = num(b), logLik = -best$value - length(y) * log(sd(s$y)),
      gauss = as.numeric(logLik(lm(s$y ~ s$x, weights = wt))))))
  }
}
# Tests between fits, and the process.
fit <- function(t, f = foodexp ~ income) rq(f, t, data = engel)
slopes <- anova(fit(0.25), fit(0.5), fit(0.75))$table
made3 <- lapply(c(0.3, 0.5, 0.7), function(t) rq(y ~ a + b + c, t, data = made))
slopes3 <- suppressWarnings(anova(made3[[1]], made3[[2]], made3[[3]]))$table
rank <- anova(rq(y ~ a + b + c, 0.5, data = made), rq(y ~ a, 0.5, data = made), test = "rank")$table
wald <- anova(rq(y ~ a + b + c, 0.5, data = made), rq(y ~ a, 0.5, data = made))$table
process <- suppressWarnings(rq.fit.br(cbind(1, sets$made$x), made$y, tau = -1)$sol)
# Small designs with few values, n tau a whole number, and ties: R's algorithm passes
# vertices that are no steps of the rank statistic, and its fits need not be unique.
ranks <- list()
add <- function(X, y, tau) {
  lim <- function(...) { # an infinite limit is +-1e300
    l <- suppressWarnings(rq.fit.br(X, y, tau, ci = TRUE, ...)$coefficients)
    unname(pmin(pmax(l, -1e300), 1e300))
  }
  f <- suppressWarnings(rq(y ~ X - 1, tau))
  ranks <<- c(ranks, list(list(x = unname(X[, -1, drop = FALSE]), y = y, tau = tau, coef = num(coef(f)), limits = lim()[, 2:3],
    steps = lim(interp = FALSE)[, c(2, 5)], iid = num(suppressWarnings(summary(f, se = "iid")$coefficients[, 2])))))
}
for (t in c(0.1, 0.25, 0.5, 0.75, 0.8, 0.9)) add(cbind(1, as.matrix(stackloss[, 1:3])), stackloss$stack.loss, t)
for (seed in 1:32) {
  set.seed(seed); n <- 12 + 4 * (seed %% 8)
  X <- switch(1 + seed %% 4, cbind(1, rnorm(n), rexp(n)), cbind(1, rep(0:1, length.out = n)), cbind(1, rnorm(n)), cbind(1, rep(0:2, length.out = n), rnorm(n)))
  y <- switch(1 + seed %% 3, rnorm(n), round(rnorm(n), 1), rexp(n) * (1 + abs(X[, 2])))
  add(X, y, c(0.25, 0.5, 0.75, 0.3)[1 + seed %% 4])
}
cat(toJSON(list(
  sets = lapply(sets, function(s) list(y = s$y, x = unname(s$x), w = s$w, names = I(colnames(s$x)))),
  quantiles = quantiles, robust = robust, student = student,
  ranks = ranks, slopes = num(slopes), slopes3 = num(slopes3), rank = num(rank), wald = num(wald),
  process = list(tau = process[1, ], coef = t(unname(process[-(1:3), ])))),
  digits = NA, auto_unbox = TRUE, null = "null"))
