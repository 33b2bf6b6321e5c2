# Relaxed lassos of the diabetes data, columns standardized with divisor n, and their
# cross-validation: Rscript relaxed.R > relaxed.json. The lasso and its terms are
# glmnet's, least squares on them are lm's: glmnet's own (relax = TRUE) have some 5
# digits, to which this script checks that they are the same.
suppressMessages({library(glmnet); library(jsonlite)})
glmnet.control(fdev = 0, devmax = 1)
d <- read.csv("diabetes.csv")
x <- as.matrix(d[, 1:10])
x <- apply(x, 2, function(v) (v - mean(v)) / sqrt(mean((v - mean(v))^2)))
y <- d$progression
n <- nrow(x)
lambda <- c(40, 25, 12, 5, 2, 0.6)
gamma <- c(0, 0.25, 0.5, 1)
relaxed <- function(x, y, v, g) { # coefficients, a column for each lambda
  b <- as.matrix(coef(glmnet(x, y, weights = v, standardize = FALSE, lambda = lambda, thresh = 1e-20)))
  for (k in seq_along(lambda)) {
    on <- which(b[-1, k] != 0)
    least <- lm(y ~ x[, on, drop = FALSE], weights = v)
    b[c(1, 1 + on), k] <- g * b[c(1, 1 + on), k] + (1 - g) * coef(least)
  }
  unname(b)
}
fits <- list()
for (weighted in c(FALSE, TRUE)) {
  v <- if (weighted) rep_len(c(1, 2, 0.5), n) else rep(1, n)
  v <- v * n / sum(v)
  fit <- glmnet(x, y, weights = v, standardize = FALSE, relax = TRUE, lambda = lambda, thresh = 1e-16)
  for (g in gamma) {
    b <- relaxed(x, y, v, g)
    stopifnot(abs(b - as.matrix(coef(fit, s = lambda, gamma = g))) < 1e-5 * max(abs(b)))
    fits <- c(fits, list(list(weighted = weighted, gamma = g, coef = t(b), rss = colSums(v * (y - cbind(1, x) %*% b)^2))))
  }
}
fold <- rep_len(1:5, n)
cv <- cv.glmnet(x, y, standardize = FALSE, relax = TRUE, lambda = lambda, gamma = gamma, foldid = fold, thresh = 1e-16)
cvs <- list()
for (k in seq_along(gamma)) {
  by_fold <- sapply(1:5, function(f) {
    out <- fold == f
    b <- relaxed(x[!out, ], y[!out], rep(1, sum(!out)), gamma[k])
    colMeans((y[out] - cbind(1, x[out, ]) %*% b)^2)
  })
  size <- as.numeric(table(fold)) / n
  mean <- drop(by_fold %*% size)
  se <- sqrt(drop((by_fold - mean)^2 %*% size) / 4)
  stopifnot(abs(mean / cv$relaxed$statlist[[k]]$cvm - 1) < 1e-5, abs(se / cv$relaxed$statlist[[k]]$cvsd - 1) < 1e-5)
  cvs <- c(cvs, list(list(gamma = gamma[k], mean = mean, se = se)))
}
cat(toJSON(list(lambda = lambda, fits = fits, folds = 5, cv = cvs), digits = I(15), auto_unbox = TRUE))
