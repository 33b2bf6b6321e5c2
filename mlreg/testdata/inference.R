# Reference values for inference and diagnostics; run in mlreg/testdata as
#   Rscript inference.R > inference.json
# Needs Debian's r-cran-car, r-cran-sandwich and r-cran-lmtest beside base R.
suppressMessages({library(sandwich); library(lmtest); library(car)})
num <- function(x) paste0("[", paste(ifelse(is.na(x), "null", sprintf("%.17g", x)), collapse = ", "), "]")
show <- function(name, l) cat(sprintf('"%s": {\n%s\n}', name, paste(sprintf('  "%s": %s', names(l), sapply(l, num)), collapse = ",\n")))
rows <- function(m) as.vector(t(m))
case <- function(f, data, new, w = rep(1, nrow(data)), weighted = FALSE) {
  environment(f) <- environment()
  m <- lm(f, data, weights = w, tol = 1e-14)
  s <- summary(m)
  k <- length(coef(m))
  hyp <- matrix(0, 2, k); hyp[1, 2] <- 1; hyp[1, 3] <- -1; hyp[2, k] <- 1
  lh <- linearHypothesis(m, hyp, c(.1, -.2))
  l <- hyp[1, ]; se <- sqrt(drop(l %*% vcov(m) %*% l)); est <- sum(l * coef(m)); q <- qt(.95, m$df.residual)
  rlh <- linearHypothesis(m, hyp, c(.1, -.2), vcov. = vcovHC(m, "HC3"))
  a <- anova(m); d1 <- drop1(m, test = "F")
  m0 <- update(m, as.formula(paste(". ~ . -", tail(attr(terms(m), "term.labels"), 1))))
  m00 <- update(m0, as.formula(paste(". ~ . -", tail(attr(terms(m0), "term.labels"), 1))))
  an <- anova(m00, m0, m)
  conf <- predict(m, new, interval = "confidence", level = .9, se.fit = TRUE)
  pred <- suppressWarnings(predict(m, new, interval = "prediction", level = .9, weights = new$w))
  out <- list(coef = coef(m), stderr = s$coefficients[, 2], confint90 = rows(confint(m, level = .9)), vcov = rows(vcov(m)),
       hc0 = rows(vcovHC(m, "HC0")), hc1 = rows(vcovHC(m, "HC1")), hc2 = rows(vcovHC(m, "HC2")), hc3 = rows(vcovHC(m, "HC3")),
       robust_p = coeftest(m, vcov. = vcovHC(m, "HC3"))[, 4],
       wald = c(lh$F[2], lh$"Pr(>F)"[2]), wald_hc3 = c(rlh$F[2], rlh$"Pr(>F)"[2]),
       contrast = c(est, se, (est - .1) / se, 2 * pt(-abs((est - .1) / se), m$df.residual), est - q * se, est + q * se),
       anova = rows(as.matrix(a[, c("Df", "Sum Sq", "Mean Sq", "F value", "Pr(>F)")])),
       drop1 = rows(as.matrix(d1[-1, c("Df", "Sum of Sq", "F value", "Pr(>F)")])),
       nested = rows(as.matrix(an[, c("Res.Df", "RSS", "Df", "Sum of Sq", "F", "Pr(>F)")])),
       confidence = rows(conf$fit), confidence_se = conf$se.fit, prediction = rows(pred),
       hat = hatvalues(m), rstandard = rstandard(m), rstudent = rstudent(m), sigma_i = influence(m)$sigma,
       cook = cooks.distance(m), dffits = dffits(m), covratio = covratio(m), dfbeta = rows(dfbeta(m)), dfbetas = rows(dfbetas(m)),
       vif = suppressWarnings(vif(m)), press = sum(weights(m) * (residuals(m) / (1 - hatvalues(m)))^2),
       gcv = nobs(m) * deviance(m) / m$df.residual^2)
  if (!weighted) out$dw <- as.numeric(dwtest(m)$statistic)
  if (!weighted && attr(terms(m), "intercept") == 1) { b <- bptest(f, data = data); out$bp <- c(b$statistic, b$parameter, b$p.value) }
  out
}
longley <- read.csv("longley.csv")
prostate <- read.csv("prostate.csv")
diabetes <- read.csv("diabetes.csv")
new <- cbind(prostate[c(3, 50, 97), ], w = 1)
ll <- cbind(longley[c(2, 9), ], w = 1)
dd <- cbind(diabetes[c(5, 77, 300), ], w = 1)
all8 <- lpsa ~ lcavol + lweight + age + lbph + svi + lcp + gleason + pgg45
cat('{\n"source": "Rscript inference.R"'); cat(sprintf(',\n"R": "%s"', R.version.string))
cat(",\n"); show("longley", case(Employed ~ GNP.deflator + GNP + Unemployed + Armed.Forces + Population + Year, longley, ll))
cat(",\n"); show("prostate", case(all8, prostate, new))
cat(",\n"); show("diabetes", case(progression ~ age + sex + bmi + bp + s1 + s2 + s3 + s4 + s5 + s6, diabetes, dd))
cat(",\n"); show("weighted", case(all8, prostate, transform(new, w = c(.5, 1, 2)), prostate$age / 60, TRUE))
cat(",\n"); show("no intercept", case(lpsa ~ lcavol + lweight + age - 1, prostate, new))
# Zero weights: the rows drop out of n.
z <- lm(all8, prostate, weights = rep(c(0, 1, 2), length.out = 97)); sz <- summary(z)
cat(",\n"); show("zero weights", list(coef = coef(z), stderr = sz$coefficients[, 2], sigma = sz$sigma, df = z$df.residual,
  n = nobs(z), loglik = as.numeric(logLik(z)), r2 = sz$r.squared, bic = BIC(z)))
cat("\n}\n")
