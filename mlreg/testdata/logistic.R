# Reference values for logistic regression, from R's glm and, for the data,
# MASS. Run in this directory:
#
#     Rscript logistic.R
library(MASS)
d <- birthwt[, c("low", "age", "lwt", "race", "smoke", "ptl", "ht", "ui", "ftv")]
d$w <- rep(c(1, 2, 0.5, 3, 0), length.out = nrow(d))
d$off <- round(sin(seq_len(nrow(d))), 3)
write.csv(d, "birthwt.csv", row.names = FALSE, quote = FALSE)

tight <- glm.control(epsilon = 1e-16, maxit = 100)
model <- low ~ age + lwt + smoke + ptl + ht + ui
report <- function(f) {
  s <- summary(f, dispersion = 1)$coefficients
  list(coef = s[, 1], stderr = s[, 2], z = s[, 3], p = s[, 4], vcov = as.vector(vcov(f)),
       deviance = deviance(f), null = f$null.deviance, loglik = as.numeric(-deviance(f) / 2),
       aic = deviance(f) + 2 * length(coef(f)), bic = deviance(f) + log(f$df.null + attr(terms(f), "intercept")) * length(coef(f)),
       fitted = fitted(f)[1:5], eta = predict(f)[1:5], dev = residuals(f, "deviance")[1:5],
       pearson = residuals(f, "pearson")[1:5], hat = hatvalues(f)[1:5],
       limits = as.vector(confint.default(f)))
}
show <- function(x) if (is.list(x)) {
  paste0("{", paste(sprintf("\"%s\": %s", names(x), sapply(x, show)), collapse = ",\n"), "}")
} else paste0("[", paste(sprintf("%.17g", x), collapse = ", "), "]")

# glm's covariance is that of the step before the last: fit again from the end.
fit <- function(formula, ...) {
  args <- list(formula, binomial, d, control = tight, ...)
  do.call(glm, c(args, list(start = coef(do.call(glm, args)))))
}
fits <- list(
  plain = fit(model),
  weighted = suppressWarnings(fit(model, weights = d$w)),
  offset = fit(update(model, . ~ . + offset(off))),
  origin = fit(update(model, . ~ . - 1)))
cat(show(lapply(fits, report)), "\n", file = "logistic_r.json")
