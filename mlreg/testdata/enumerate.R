# Reference values for the enumeration tests; run in mlreg/testdata as
#   Rscript enumerate.R > enumerate.json
# Package BMS 0.3.5 (Debian's r-cran-bms): Zellner's g, all models. R's lm: the
# BIC of every subset of the prostate data.
suppressMessages(library(BMS))
num <- function(v) paste0("[", paste(sprintf("%.17g", v), collapse = ", "), "]")
averaged <- function(data, ...) {
  k <- ncol(data) - 1
  b <- bms(data, mcmc = "enumerate", nmodel = 2^k, user.int = FALSE, ...)
  e <- coef(b, exact = TRUE, order.by.pip = FALSE)
  pmp <- pmp.bma(b)[, 1]
  pmp <- pmp / sum(pmp)  # pmp.bma does not normalise when it keeps every model
  sizes <- tapply(pmp, factor(colSums(topmodels.bma(b)[seq_len(k), ]), levels = 0:k), sum)
  sizes[is.na(sizes)] <- 0
  sprintf('{"Inclusion": %s, "Mean": %s, "SD": %s, "Top": %s, "Size": %s}',
          num(e[, "PIP"]), num(e[, "Post Mean"]), num(e[, "Post SD"]), num(pmp[1:5]), num(sizes))
}
cat("{\n")
cater <- read.csv("caterpillar.csv")
cater <- data.frame(y = log(cater$y), cater[, 1:10])
cat('"caterpillar": ', averaged(cater, g = "UIP", mprior = "uniform"), ",\n", sep = "")
diab <- read.csv("diabetes.csv")
diab <- diab[, c(11, 1:10)]
cat('"diabetes": ', averaged(diab, g = 25, mprior = "fixed", mprior.size = 2), ",\n", sep = "")
cat('"diabetes beta-binomial": ', averaged(diab, g = "UIP", mprior = "random", mprior.size = 5), ",\n", sep = "")

d <- read.csv("prostate.csv")
d <- d[d$train, ]
terms <- names(d)[1:8]
loglik <- bic <- numeric(256)
for (i in 0:255) {
  m <- lm(reformulate(c("1", terms[bitwAnd(i, 2^(0:7)) > 0]), "lpsa"), d)
  loglik[i + 1] <- logLik(m)
  bic[i + 1] <- BIC(m)
}
w <- exp(-(bic - min(bic)) / 2)
w <- w / sum(w)
incl <- sapply(0:7, function(j) sum(w[bitwAnd(0:255, 2^j) > 0]))
cat('"prostate": {"LogLik": ', num(loglik), ', "PostProb": ', num(w), ', "Inclusion": ', num(incl), "}\n}\n", sep = "")
