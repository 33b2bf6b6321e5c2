# Limits of new observations of generalized linear models: quantiles of the distribution of the family, averaged over
# the normal error of the linear predictor by R's integrate, which are found by uniroot, or by counting. Run in
# this directory, after glm.R:
#
#     Rscript glm_predictive.R
#
# Writes glm_predictive.json. (R 4.2.2, statmod 1.5.0.)
suppressMessages({library(jsonlite); library(statmod)})
d <- read.csv("glm.csv")
tight <- glm.control(epsilon = 1e-16, maxit = 200)
fit <- function(formula, family, start = NULL) {
  for (again in 1:20) start <- coef(suppressWarnings(glm(formula, family, d, control = tight, start = start)))
  suppressWarnings(glm(formula, family, d, control = tight, start = start))
}
rows <- c(1:6, 40)
limits <- function(f, below, trials = NULL, level = 0.9) {
  p <- predict(f, type = "link", se.fit = TRUE)
  phi <- summary(f)$dispersion
  t(sapply(rows, function(i) {
    at <- function(y) integrate(function(e) below(y, f$family$linkinv(e), phi, i) * dnorm(e, p$fit[i], p$se.fit[i]),
                                p$fit[i] - 9 * p$se.fit[i], p$fit[i] + 9 * p$se.fit[i], rel.tol = 1e-11, subdivisions = 1000)$value
    sapply(c((1 - level) / 2, (1 + level) / 2), function(q) {
      if (is.null(trials)) {
        mu <- fitted(f)[i]
        return(exp(uniroot(function(l) at(exp(l)) - q, log(mu) + c(-12, 6), tol = 1e-13)$root))
      }
      k <- 0
      while (at(k) < q) k <- k + 1
      k / trials[i]
    })
  }))
}
one <- rep(1, nrow(d))
out <- list(
  poissonOffset = limits(fit(y ~ x1 + x2 + b + offset(log(t)), poisson()), function(k, mu, phi, i) ppois(k, mu), one),
  binomialProbit = limits(fit(cbind(k, m - k) ~ x1 + x2 + b, binomial("probit")), function(k, mu, phi, i) pbinom(k, d$m[i], mu), d$m),
  gammaLog = limits(fit(g ~ x1 + x2 + b, Gamma("log")), function(y, mu, phi, i) pgamma(y, 1 / phi, scale = mu * phi)),
  inverseGaussianLog = limits(fit(g ~ x1 + x2 + b, inverse.gaussian("log")), function(y, mu, phi, i) pinvgauss(y, mu, dispersion = phi)))
cat(toJSON(out, digits = NA), file = "glm_predictive.json")
