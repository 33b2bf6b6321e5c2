# Reference values for models of the intercept alone; run in mlreg/testdata as
#   Rscript intercept.R > intercept.json
num <- function(x) paste0("[", paste(ifelse(is.na(x), "null", sprintf("%.17g", x)), collapse = ", "), "]")
show <- function(name, l) sprintf('"%s": {\n%s\n}', name, paste(sprintf('  "%s": %s', names(l), sapply(l, num)), collapse = ",\n"))
ols <- function(data, w) {
  environment(ols) <- environment()
  data$w <- w
  m <- lm(lpsa ~ 1, data, weights = w); s <- summary(m); big <- lm(lpsa ~ lcavol + lweight, data, weights = w)
  pred <- suppressWarnings(predict(m, data[1:2, ], interval = "prediction", level = .9, weights = data$w[1:2]))
  list(coef = s$coefficients[1, ], limits = confint(m, level = .9), sigma = s$sigma, r2 = c(s$r.squared, s$adj.r.squared),
       dof = c(m$rank, m$df.residual), loglik = c(logLik(m), AIC(m), BIC(m)), hat = hatvalues(m)[1:3],
       rstudent = rstudent(m)[1:3], cook = cooks.distance(m)[1:3], dffits = dffits(m)[1:3], covratio = covratio(m)[1:3],
       dfbeta = dfbeta(m)[1:3], anova = t(as.matrix(anova(m)[, 1:3])),
       nested = as.vector(t(as.matrix(anova(m, big)[, c("Res.Df", "RSS", "Df", "Sum of Sq", "F", "Pr(>F)")]))),
       confidence = predict(m, data[1, ], interval = "confidence", level = .9), prediction = as.vector(t(pred)))
}
logistic <- function(f, data) {
  m <- glm(f, binomial, data, epsilon = 1e-15)
  list(coef = summary(m)$coefficients[1, ], deviance = c(m$deviance, m$null.deviance), loglik = c(logLik(m), AIC(m), BIC(m)),
       fitted = fitted(m)[1:3], hat = hatvalues(m)[1:3])
}
prostate <- read.csv("prostate.csv")
birthwt <- read.csv("birthwt.csv")
cases <- c(show("plain", ols(prostate, rep(1, nrow(prostate)))), show("weighted", ols(prostate, prostate$age / 60)),
           show("logistic", logistic(low ~ 1, birthwt)), show("offset", logistic(low ~ 1 + offset(lwt / 100), birthwt)))
cat(sprintf('{\n"source": "Rscript intercept.R",\n"R": "%s",\n%s\n}\n', R.version.string, paste(cases, collapse = ",\n")))
