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

# Box plots: an odd and an even number of values, values beyond, ties.
box_case <- function(name, v) {
  b <- boxplot.stats(v)
  put(paste0(name, ".v"), v); put(paste0(name, ".stats"), b$stats); put(paste0(name, ".out"), c(length(b$out), b$out))
}
box_case("box.odd", c(3, 1, 4, 1.5, 9, 2.6, 5))
box_case("box.even", faithful$eruptions[1:40])
box_case("box.beyond", c(precip, 0.1, 120))
box_case("box.one", 7)
box_case("box.two", c(7, 9))
box_case("box.ties", c(1, 1, 1, 1, 2, 2, 5))

# Densities: the sum over the values itself, and R's density(), which bins them.
density_case <- function(name, v, bw) {
  at <- seq(min(v) - 3 * bw, max(v) + 3 * bw, length.out = 301)[c(1, 50, 101, 151, 240, 301)]
  put(paste0(name, ".v"), v); put(paste0(name, ".bw"), bw)
  put(paste0(name, ".f"), sapply(at, function(a) mean(dnorm(a, v, bw))))
  d <- density(v, bw = bw, n = 2048)
  put(paste0(name, ".binned"), approx(d$x, d$y, at, rule = 2)$y)
}
density_case("density.faithful", faithful$eruptions, bw.nrd0(faithful$eruptions))
density_case("density.ties", c(1, 1, 1, 1, 1, 1, 1, 1, 2, 5), bw.nrd0(c(1, 1, 1, 1, 1, 1, 1, 1, 2, 5)))
density_case("density.narrow", precip, 1.5)

# Limits of means and of shares.
put("mean.v", precip[1:9])
put("mean.limits", c(mean(precip[1:9]), t.test(precip[1:9], conf.level = 0.9)$conf.int))
for (case in list(c(0, 12), c(5, 12), c(12, 12), c(1, 1), c(430, 1000))) {
  test <- suppressWarnings(prop.test(case[1], case[2], conf.level = 0.95, correct = FALSE))
  put(paste0("wilson.", case[1], ".", case[2]), test$conf.int)
}
