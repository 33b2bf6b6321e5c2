# Singular values, and principal components regression on 50 components, by svd() of R: of two dummies, the second
# of which ends before the first, and 140 columns of whole numbers, without an intercept. Run in mlreg/testdata as
#   Rscript svd_dummies.R > svd_dummies.json
# R 4.2.2.
n <- 330; p <- 142
i <- rep(0:(n - 1), p); j <- rep(0:(p - 1), each = n)
x <- matrix((i * i * (2 * j + 3) + i * (j * j + 5) + 7 * j) %% 9973 %% 101 - 50, n, p)
a <- 0:(n - 1) %% 3 == 0 | 0:(n - 1) >= n - 20
x[, 1] <- a
x[, 2] <- !a
y <- ((0:(n - 1))^2 %% 89) - 44
s <- svd(x)
k <- 50
b <- s$v[, 1:k] %*% (crossprod(s$u[, 1:k], y) / s$d[1:k])
stopifnot(max(abs(s$u %*% (s$d * t(s$v)) - x)) < 1e-10 * s$d[1])
digits <- function(v) paste0("[", paste(sprintf("%.17g", v), collapse = ", "), "]")
cat(sprintf('{"N": %d, "P": %d, "Components": %d,\n"Singular": %s,\n"Slopes": %s}\n', n, p, k, digits(s$d), digits(b)))
