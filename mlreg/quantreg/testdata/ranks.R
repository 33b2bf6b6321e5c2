# The lower limit by rank scores of Air.Flow in stack loss at tau = 1/2: quantreg's, the steps
# it lies between, and the same with Water.Temp less 20, which changes no coefficient of
# Air.Flow; and the vertices with that coefficient below the fit's that are the best of
# all fits with it, by enumeration of all bases.
# Rscript ranks.R > ranks.json
suppressMessages({library(quantreg); library(jsonlite)})
y <- stackloss$stack.loss; X <- cbind(1, as.matrix(stackloss[, 1:3]))
shifted <- X; shifted[, 3] <- shifted[, 3] - 20
br <- function(X, ...) suppressWarnings(rq.fit.br(X, y, 0.5, ...))
loss <- function(c) sum(abs(suppressWarnings(rq.fit.br(X[, -2], y - c * X[, 2], 0.5))$residuals)) / 2
bases <- combn(nrow(X), 4); at <- NULL
for (k in seq_len(ncol(bases))) {
  i <- bases[, k]
  b <- tryCatch(solve(X[i, ], y[i]), error = function(e) NULL)
  if (is.null(b) || b[2] < 0.5 || b[2] > 0.83) next
  if (sum(abs(y - X %*% b)) / 2 - loss(b[2]) < 1e-9) at <- c(at, b[2])
}
cat(toJSON(list(limit = br(X, ci = TRUE)$coefficients[2, 2], steps = unname(br(X, ci = TRUE, interp = FALSE)$coefficients[2, 2:3]),
  shifted = br(shifted, ci = TRUE)$coefficients[2, 2], vertices = unique(round(sort(at), 12))), digits = NA, auto_unbox = TRUE))
