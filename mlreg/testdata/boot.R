# Reference values of TestBootstrapAgreesWithR, by R's package boot:
#
#     Rscript boot.R > boot.json
#
# The mean of x with its standard error, and the slope of y on x with that of lm, on the
# same resamples, whose counts are written too; the influences are the jackknife's,
# centered, as Efron (1987) has them.
suppressMessages({library(boot); library(jsonlite)})
set.seed(1)
n <- 20
R <- 499
x <- round(rexp(n), 4)
y <- round(1 + 2 * x + rnorm(n), 4)
data <- data.frame(x, y)

average <- function(d, i) {
  v <- d$x[i]
  c(mean(v), mean((v - mean(v))^2) / n)
}
slope <- function(d, i) {
  s <- summary(lm(y ~ x, d[i, ]))$coefficients
  c(s[2, 1], s[2, 2]^2)
}
limits <- function(statistic) {
  set.seed(2)
  b <- boot(data, statistic, R)
  left <- sapply(1:n, function(i) statistic(data[-i, ], 1:(n - 1))[1])
  L <- (n - 1) * (mean(left) - left)
  ci <- boot.ci(b, conf = c(0.8, 0.95), type = "all", L = L)
  ends <- function(m) m[, ncol(m) - 1:0]
  list(t0 = b$t0, sd = sd(b$t[, 1]), t = b$t[, 1], v = b$t[, 2],
       normal = ends(ci$normal), basic = ends(ci$basic), student = ends(ci$student),
       percent = ends(ci$percent), bca = ends(ci$bca), counts = boot.array(b), influence = L)
}
cat(toJSON(list(x = x, y = y, average = limits(average), slope = limits(slope), version = as.character(packageVersion("boot"))), digits = NA))
