# Reference values of charts: Rscript testdata/chart.R > testdata/chart.txt
# A line is a name and its numbers, in 17 digits.
put <- function(name, v) cat(name, sprintf("%.17g", as.numeric(v)), "\n")

# Local lines: loess of degree 1, computed directly.
loess_case <- function(name, x, y, span, at) {
  fit <- loess(y ~ x, span = span, degree = 1,
               control = loess.control(surface = "direct", statistics = "exact"))
  p <- predict(fit, data.frame(x = at), se = TRUE)
  put(paste0(name, ".x"), x); put(paste0(name, ".y"), y); put(paste0(name, ".span"), span)
  put(paste0(name, ".at"), at); put(paste0(name, ".fit"), p$fit); put(paste0(name, ".se"), p$se.fit)
  put(paste0(name, ".sigma"), p$residual.scale); put(paste0(name, ".delta"), fit$one.delta)
}
loess_case("loess.cars", cars$speed, cars$dist, 2/3, c(4, 7.3, 12, 19.5, 25))
set.seed(2)
u <- round(sort(runif(60))^2, 3)
loess_case("loess.uneven", u, round(sin(7 * u) + rnorm(60) / 5, 3), 0.4, c(min(u), 0.01, 0.2, 0.55, max(u)))
ties <- rep(c(1, 2, 4, 7), c(9, 3, 6, 6))
loess_case("loess.ties", ties, round(ties^1.5 + rnorm(24), 2), 0.8, c(1, 1.5, 3, 7))

# The line and its confidence band.
line <- lm(dist ~ speed, cars)
put("line.at", c(4, 14.5, 25))
put("line.band", predict(line, data.frame(speed = c(4, 14.5, 25)), interval = "confidence", level = 0.9))
