# Poisson elastic nets with offsets and weights, by glmnet.
# Rscript poisson.R > poisson.json
suppressMessages(library(glmnet))
library(jsonlite)
set.seed(3)
n <- 60; p <- 8
x <- round(matrix(rnorm(n * p), n), 3)
offset <- round(runif(n, -1, 1), 2)
w <- sample(1:4, n, TRUE)
y <- rpois(n, exp(0.6 + offset + 0.5 * x[, 1] - 0.4 * x[, 2]))
lambda <- c(0.5, 0.2, 0.05, 0.01)
fits <- lapply(c(1, 0.4), function(alpha) {
  f <- glmnet(x, y, family = "poisson", weights = w, offset = offset, alpha = alpha, lambda = lambda,
              standardize = FALSE, thresh = 1e-22, maxit = 1e7)
  list(alpha = alpha, intercept = f$a0, coef = t(as.matrix(f$beta)), deviance = deviance(f), null = f$nulldev)
})
cat(toJSON(list(x = x, y = y, offset = offset, weights = w, lambda = lambda, fits = fits), digits = I(17)))
