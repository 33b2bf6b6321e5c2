# glmnet and cv.glmnet of family "multinomial" on the glass fragments of MASS:
# Rscript multinomial_glmnet.R > multinomial_glmnet.json (R 4.2.2, glmnet 4.1)
suppressMessages({library(glmnet); library(jsonlite); library(MASS)})
x <- round(scale(as.matrix(fgl[, 1:9])), 6)
y <- fgl$type
n <- nrow(x)
w <- rep_len(c(1, 2, 0.5), n)
foldid <- ave(seq_len(n), y, FUN = function(i) rep_len(1:4, length(i)))
lambda <- c(30, 12, 5, 2, 0.8) # l1 = n lambda alpha, l2 = n lambda (1-alpha)/2 of glmnet
fit <- function(alpha, weights) {
  f <- glmnet(x, y, family = "multinomial", alpha = alpha, lambda = lambda / sum(weights), weights = weights,
              standardize = FALSE, thresh = 1e-16, maxit = 1e7)
  b <- lapply(coef(f), as.matrix) # classes, of (1 + p) x lambda
  list(coef = lapply(seq_along(lambda), function(k) t(sapply(b, function(m) m[, k]))),
       deviance = deviance(f), null = f$nulldev)
}
cv <- function(measure) {
  v <- cv.glmnet(x, y, family = "multinomial", lambda = lambda / n, foldid = foldid, type.measure = measure,
                 standardize = FALSE, thresh = 1e-14, maxit = 1e7, grouped = TRUE)
  list(cvm = v$cvm, cvsd = v$cvsd)
}
cat(toJSON(list(x = x, y = as.integer(y) - 1, classes = levels(y), weights = w, foldid = foldid - 1, lambda = lambda,
                lasso = fit(1, rep(1, n)), net = fit(0.5, rep(1, n)), weighted = fit(0.5, w),
                cvdeviance = cv("deviance"), cvclass = cv("class")), digits = I(12), auto_unbox = TRUE))
