# Reference values for generalized linear models, from R's glm; the sandwich covariances,
# the tests of overdispersion and the profile limits are computed here from their
# formulas. Writes glm.csv and glm.json. Run in this directory:
#
#     Rscript glm.R
#
# (R 4.2.2, statmod 1.5.0.)
suppressMessages({library(jsonlite); library(statmod)})
set.seed(19)
n <- 60
d <- data.frame(x1 = round(rnorm(n), 3), x2 = round(runif(n, 0, 4), 3), b = rep(0:1, c(25, 35))[order(runif(n))])
d$t <- round(rexp(n, 1 / 3) + 0.2, 2)
d$y <- rpois(n, d$t * exp(0.4 + 0.5 * d$x1 - 0.3 * d$x2 + 0.4 * d$b) * rgamma(n, 4, 4))
d$m <- 1 + rpois(n, 6)
d$k <- rbinom(n, d$m, plogis(-0.5 + 0.8 * d$x1 + 0.2 * d$x2))
d$g <- signif(rgamma(n, 3, 3 / exp(1 + 0.3 * d$x1 + 0.4 * d$x2)), 5)
d$w <- rep(c(1, 2, 0.5, 3, 0), length.out = n)
d$cl <- rep(1:12, each = 5)
write.csv(d, "glm.csv", row.names = FALSE, quote = FALSE)

tight <- glm.control(epsilon = 1e-16, maxit = 200)
# glm's covariance is that of the step before the last, and it stops where the deviance stands
# still, which leaves half of the digits to coefficients of a link that is not canonical: fit
# again from the end, step after step.
fit <- function(formula, family, ..., start = NULL) {
  args <- list(formula, family, d, control = tight, ...)
  for (again in 1:60) start <- coef(suppressWarnings(do.call(glm, c(args, list(start = start)))))
  suppressWarnings(do.call(glm, c(args, list(start = start))))
}
report <- function(f) {
  s <- summary(f)
  c1 <- s$coefficients
  p <- predict(f, type = "link", se.fit = TRUE)
  q <- predict(f, type = "response", se.fit = TRUE)
  i <- 1:8
  quasi <- grepl("quasi", f$family$family)
  list(coef = unname(c1[, 1]), stderr = unname(c1[, 2]), statistic = unname(c1[, 3]), p = unname(c1[, 4]),
       deviance = deviance(f), null = f$null.deviance, pearson = sum(f$prior.weights * (f$y - f$fitted)^2 / f$family$variance(f$fitted)),
       dispersion = s$dispersion, loglik = if (quasi) "NaN" else as.numeric(logLik(f)), aic = if (quasi) "NaN" else AIC(f),
       response = unname(residuals(f, "response")[i]), dev = unname(residuals(f, "deviance")[i]), pres = unname(residuals(f, "pearson")[i]),
       hat = unname(hatvalues(f)[i]), cook = unname(cooks.distance(f)[i]), rstandard = unname(rstandard(f)[i]), rstudent = unname(rstudent(f)[i]),
       dffits = unname(dffits(f)[i]), eta = unname(p$fit[i]), etase = unname(p$se.fit[i]), mu = unname(q$fit[i]), muse = unname(q$se.fit[i]),
       wald = unname(as.vector(t(confint.default(f)))))
}
pois <- y ~ x1 + x2 + b
bin <- cbind(k, m - k) ~ x1 + x2 + b
pos <- g ~ x1 + x2 + b
fits <- list(
  poisson = fit(pois, poisson()),
  poissonOffset = fit(update(pois, . ~ . + offset(log(t))), poisson()),
  poissonWeights = fit(pois, poisson(), weights = d$w),
  poissonSqrt = fit(y ~ x1 + b, poisson("sqrt")),
  poissonIdentity = fit(y ~ b, poisson("identity"), start = c(mean(d$y), 0)),
  poissonOrigin = fit(update(pois, . ~ . - 1 + offset(log(t))), poisson()),
  quasiPoisson = fit(update(pois, . ~ . + offset(log(t))), quasipoisson()),
  quasiPoissonWeights = fit(pois, quasipoisson(), weights = d$w),
  binomial = fit(bin, binomial()),
  binomialProbit = fit(bin, binomial("probit")),
  binomialCLogLog = fit(bin, binomial("cloglog")),
  quasiBinomial = fit(bin, quasibinomial()),
  gamma = fit(pos, Gamma(), start = c(1 / mean(d$g), 0, 0, 0)),
  gammaLog = fit(pos, Gamma("log")),
  gammaLogWeights = fit(pos, Gamma("log"), weights = d$w),
  gammaIdentity = fit(g ~ x2, Gamma("identity"), start = c(mean(d$g), 0)),
  gammaOrigin = fit(g ~ x2 + b - 1, Gamma("identity"), start = c(1, 1)),
  inverseGaussian = fit(g ~ x2, inverse.gaussian(), start = c(1 / mean(d$g)^2, 0)),
  inverseGaussianLog = fit(pos, inverse.gaussian("log")))
out <- lapply(fits, report)

# Profile limits: where the deviance with a coefficient fixed is q^2 phi above the least.
limits <- function(f, level = 0.95) {
  X <- model.matrix(f); y <- f$y; w <- f$prior.weights
  off <- if (is.null(f$offset)) rep(0, length(y)) else f$offset
  phi <- summary(f)$dispersion
  q <- if (grepl("quasi|Gamma|inverse", f$family$family)) qt(1 - (1 - level) / 2, f$df.residual) else qnorm(1 - (1 - level) / 2)
  se <- summary(f)$coefficients[, 2]
  t(sapply(seq_len(ncol(X)), function(j) {
    above <- function(v) {
      g <- suppressWarnings(glm.fit(X[, -j, drop = FALSE], y, w, offset = off + v * X[, j], family = f$family, control = tight,
                                    start = coef(f)[-j], intercept = FALSE))
      (g$deviance - deviance(f)) / phi - q^2
    }
    b <- coef(f)[j]
    c(uniroot(above, c(b - 6 * se[j], b), tol = 1e-13)$root, uniroot(above, c(b, b + 6 * se[j]), tol = 1e-13)$root)
  }))
}
out$profile <- lapply(list(poissonOffset = fits$poissonOffset, quasiPoisson = fits$quasiPoisson, binomial = fits$binomial, gammaLog = fits$gammaLog), limits)

# Tables of the deviance.
deviances <- function(f) {
  a <- anova(f, test = "Chisq"); b <- anova(f, test = "F")
  k <- drop1(f, test = "Chisq"); l <- suppressWarnings(drop1(f, test = "F"))
  list(df = a$Df[-1], deviance = a$Deviance[-1], residdf = a[["Resid. Df"]], resid = a[["Resid. Dev"]], chisq = a[["Pr(>Chi)"]][-1],
       f = b$F[-1], pf = b[["Pr(>F)"]][-1], dropdeviance = k$Deviance[-1], dropchisq = k[["Pr(>Chi)"]][-1], dropf = l[["F value"]][-1], droppf = l[["Pr(>F)"]][-1])
}
out$deviances <- lapply(list(poissonOffset = fits$poissonOffset, quasiPoisson = fits$quasiPoisson, binomial = fits$binomial, gammaLog = fits$gammaLog), deviances)

# Sandwich: White's and MacKinnon's for the scores w (y - mu) mu'/V a, by their formulas.
sandwich <- function(f) {
  X <- model.matrix(f); k <- ncol(X); n <- nrow(X)
  s <- f$weights * residuals(f, "working")
  A <- solve(crossprod(X, X * f$weights))
  h <- hatvalues(f)
  v <- function(c) sqrt(diag(A %*% crossprod(X * s * c) %*% A))
  g <- rowsum(X * s, d$cl); G <- nrow(g)
  list(HC0 = unname(v(1)), HC1 = unname(v(sqrt(n / (n - k)))), HC2 = unname(v(1 / sqrt(1 - h))), HC3 = unname(v(1 / (1 - h))),
       cluster = unname(sqrt(diag(A %*% crossprod(g) %*% A) * G / (G - 1) * (n - 1) / (n - k))))
}
out$sandwich <- lapply(fits[c("poissonOffset", "binomial", "gammaLog", "quasiPoisson")], sandwich)

# Overdispersion (Cameron and Trivedi 1990; Dean 1992).
mu <- fitted(fits$poissonOffset); e <- (d$y - mu)^2 - d$y
nb1 <- summary(lm(I(e / mu) ~ 1))$coefficients[1, 3]
nb2 <- summary(lm(I(e / mu) ~ mu - 1))$coefficients[1, 3]
h <- hatvalues(fits$poissonOffset)
out$overdispersion <- list(ct1 = nb1, ct2 = nb2, deanA = sum(e) / sqrt(2 * sum(mu^2)), deanB = sum((d$y - mu)^2 - mu) / sqrt(2 * sum(mu^2)),
                           deanC = sum(e / mu) / sqrt(2 * n))

# Distribution functions, for quantile residuals.
out$cdf <- list(pois = ppois(c(0, 3, 50), c(0.3, 5, 30)), binom = pbinom(c(0, 3, 7), c(5, 9, 7), c(0.2, 0.6, 0.9)),
                gammaup = pgamma(c(0.5, 3, 20), 2.5, 0.5, lower.tail = FALSE), ig = pinvgauss(c(0.2, 1, 9), 1.5, 2), igup = pinvgauss(c(0.2, 1, 9), 1.5, 2, lower.tail = FALSE))
cat(toJSON(out, digits = NA, auto_unbox = TRUE, pretty = FALSE), file = "glm.json")
