# Reference values for the least-squares tests; run in mlreg/testdata as
#   Rscript ols_prostate.R > ols_prostate.json
options(digits = 17)
d <- read.csv("prostate.csv")
train <- d[d$train, ]
test <- d[!d$train, ]
fit <- function(f, data, w = rep(1, nrow(data))) {
  environment(f) <- environment()
  m <- lm(f, data, weights = w, tol = 1e-14)
  s <- summary(m)
  list(coef = unname(coef(m)), stderr = unname(s$coefficients[, 2]), t = unname(s$coefficients[, 3]),
       p = unname(s$coefficients[, 4]), lower = unname(confint(m)[, 1]), upper = unname(confint(m)[, 2]),
       rss = sum(weighted.residuals(m)^2), sigma = s$sigma, r2 = s$r.squared, adjr2 = s$adj.r.squared,
       f = unname(s$fstatistic[1]), fp = pf(s$fstatistic[[1]], s$fstatistic[[2]], s$fstatistic[[3]], lower.tail = FALSE),
       loglik = as.numeric(logLik(m)), aic = AIC(m), bic = BIC(m), hat = unname(hatvalues(m))[1:5])
}
all8 <- lpsa ~ lcavol + lweight + age + lbph + svi + lcp + gleason + pgg45
raw <- fit(all8, data = train)
z0 <- train
for (v in names(train)[1:8]) z0[[v]] <- (z0[[v]] - mean(z0[[v]])) / sqrt(mean((z0[[v]] - mean(z0[[v]]))^2))
std <- fit(all8, data = z0)
noint <- fit(lpsa ~ lcavol + lweight + age - 1, data = train)
weighted <- fit(all8, data = train, w = train$age / 60)
m <- lm(all8, data = train)
num <- function(x) paste0("[", paste(sprintf("%.17g", x), collapse = ", "), "]")
show <- function(name, l) cat(sprintf('"%s": {\n%s\n}', name, paste(sprintf('  "%s": %s', names(l), sapply(l, num)), collapse = ",\n")))
cat("{\n"); cat('"source": "Rscript ols_prostate.R",\n'); cat(sprintf('"R": "%s",\n', R.version.string))
show("raw", raw); cat(",\n"); show("standardized", std); cat(",\n"); show("no intercept", noint); cat(",\n"); show("weighted", weighted); cat(",\n")
show("test", list(mse = mean((test$lpsa - predict(m, test))^2))); cat("\n}\n")
