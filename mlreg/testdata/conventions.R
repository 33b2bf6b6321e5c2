# Coefficients by glmnet on the prostate training rows, for conventions_test.go:
#
#     Rscript conventions.R > conventions_glmnet.json
suppressMessages(library(glmnet))
d <- read.csv("prostate.csv")
d <- d[d$train == "T" | d$train == TRUE, ]
terms <- c("lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45")
x <- as.matrix(d[, terms])
y <- d$lpsa
out <- list()
add <- function(lambda, alpha, standardize, ...) {
  # A short path leads to lambda; the first is far above.
  fit <- glmnet(x, y, alpha = alpha, lambda = lambda * c(16, 8, 4, 2, 1), standardize = standardize,
                thresh = 1e-22, maxit = 1e8, ...)
  b <- as.numeric(coef(fit)[, 5])
  more <- list(...)
  num <- function(v) paste(sprintf("%.17g", v), collapse = ", ")
  out[[length(out) + 1]] <<- sprintf(
    '  {"lambda": %.17g, "alpha": %g, "standardize": %s, "intercept": %s, "nonNegative": %s, "weights": [%s], "factor": [%s], "coef": [%s]}',
    lambda, alpha, tolower(standardize), tolower(is.null(more$intercept)), tolower(!is.null(more$lower.limits)),
    num(more$weights), num(more$penalty.factor), num(b))
}
for (alpha in c(1, 0.5, 0.05, 0)) for (lambda in c(0.5, 0.1, 0.01)) for (standardize in c(TRUE, FALSE))
  add(lambda, alpha, standardize)
add(0.05, 0.5, TRUE, penalty.factor = c(1, 2, 1, 0, 1, 3, 1, 1))
add(0.05, 1, TRUE, lower.limits = 0)
add(0.05, 0.5, FALSE, intercept = FALSE)
add(0.05, 0.5, FALSE, weights = rep(c(1, 2, 0.5), length.out = nrow(x)))
cat("{\"version\": \"glmnet ", as.character(packageVersion("glmnet")), "\", \"fits\": [\n",
    paste(unlist(out), collapse = ",\n"), "\n]}\n", sep = "")

# Whole paths and cross-validations with weights, intercept or not, in a file of
# their own: cv.glmnet standardises in every fold and divides the response by the
# deviation of the fold's rows.
library(jsonlite)
w <- rep(c(1, 2, 0.5, 3), length.out = nrow(x))
fold <- rep(1:5, length.out = nrow(x))
lambda <- c(0.8, 0.4, 0.2, 0.1, 0.05, 0.01)
glmnet.control(fdev = 0)
paths <- list()
for (alpha in c(1, 0.5, 0.1, 0)) for (weighted in c(FALSE, TRUE)) for (intercept in c(TRUE, FALSE)) for (standardize in c(TRUE, FALSE)) {
  weights <- if (weighted) w else rep(1, nrow(x))
  fit <- cv.glmnet(x, y, weights = weights, foldid = fold, alpha = alpha, lambda = lambda, standardize = standardize,
                   intercept = intercept, thresh = 1e-20, maxit = 1e8)
  paths[[length(paths) + 1]] <- list(
    alpha = alpha, weighted = weighted, intercept = intercept, standardize = standardize,
    coef = unname(t(as.matrix(coef(fit$glmnet.fit)))), cvm = fit$cvm, cvsd = fit$cvsd)
}
write_json(list(weights = w, lambda = lambda, folds = 5, paths = paths), "conventions_cvglmnet.json", digits = NA, auto_unbox = TRUE)
