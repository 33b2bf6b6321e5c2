# The S-estimates that MM-estimates start from by robustbase, and Student-t regressions by
# EM for every nu and a root in nu, their standard errors from the information integrated,
# their evidence from R's BIC. Data sets are those of mlreg/testdata/noise.json:
# Rscript starts.R > starts.json
suppressMessages({library(robustbase); library(jsonlite)})
sets <- fromJSON("../../testdata/noise.json")$sets
num <- function(v) unname(as.vector(v))
starts <- list(); student <- list()
for (name in names(sets)) {
  s <- sets[[name]]; X <- cbind(1, s$x); n <- nrow(X); k <- ncol(X)
  w <- if (is.null(s$w)) rep(1, n) else s$w
  root <- sqrt(w)
  # A scale solves sum rho(e/s)/rho(Inf) = (n - k)/2, rho the bisquare of constant 1.548.
  set.seed(1)
  start <- lmrob.S(X * root, s$y * root, lmrob.control(tuning.chi = 1.548, bb = 0.5, nResample = 20000,
    refine.tol = 1e-14, k.max = 5000, maxit.scale = 5000, scale.tol = 1e-14, solve.tol = 1e-14))
  e <- start$residuals
  again <- uniroot(function(v) sum(Mchi(e / v, 1.548, "bisquare")) - (n - k) / 2, start$scale * c(0.5, 2), tol = 1e-14)$root
  stopifnot(abs(again / start$scale - 1) < 1e-8)
  starts <- c(starts, list(list(set = name, scale = start$scale)))

  center <- colMeans(s$x); Z <- cbind(1, sweep(s$x, 2, center))
  em <- function(nu) {
    b <- num(coef(lm.wfit(Z, s$y, w))); sc <- sqrt(mean(w * (s$y - Z %*% b)^2))
    for (i in 1:20000) {
      u <- num(root * (s$y - Z %*% b) / sc); v <- (nu + 1) / (nu + u^2)
      new <- num(coef(lm.wfit(Z, s$y, w * v))); e <- num(root * (s$y - Z %*% new))
      last <- sc; sc <- sqrt(sum(v * e^2) / sum(v))
      done <- max(abs(new - b)) <= 1e-14 * max(abs(b)) && abs(sc - last) <= 1e-14 * sc
      b <- new
      if (done) break
    }
    u <- num(root * (s$y - Z %*% b) / sc)
    list(b = b, scale = sc, u = u, logLik = sum(dt(u, nu, log = TRUE) - log(sc / root)))
  }
  slope <- function(nu) { # of the log-likelihood in nu, which is that of its maximum
    u2 <- em(nu)$u^2
    sum(digamma((nu + 1) / 2) - digamma(nu / 2) - 1 / nu - log1p(u2 / nu) + (nu + 1) * u2 / (nu * (nu + u2))) / 2
  }
  lm0 <- lm(s$y ~ s$x, weights = w)
  for (known in c(FALSE, TRUE)) {
    nu <- if (known) 3 else uniroot(slope, c(0.6, 60), tol = 1e-12)$root
    f <- em(nu)
    # Information of one row about its mean: the integral of (d log f)^2 f.
    score <- function(u) ((nu + 1) * u / (nu + u^2))^2 * dt(u, nu)
    info <- 2 * integrate(score, 0, Inf, rel.tol = 1e-12, subdivisions = 1000)$value / f$scale^2

    V <- solve(crossprod(Z * root)) / info
    back <- diag(k); back[1, -1] <- -center
    b <- f$b; b[1] <- b[1] - sum(b[-1] * center)
    BIC1 <- -2 * f$logLik + (k + if (known) 1 else 2) * log(n)
    student <- c(student, list(list(set = name, known = known, nu = nu, scale = f$scale, coef = b,
      se = num(sqrt(diag(back %*% V %*% t(back)))), bits = (BIC(lm0) - BIC1) / (2 * log(2)))))
  }
}
cat(toJSON(list(starts = starts, student = student), digits = NA, auto_unbox = TRUE))
