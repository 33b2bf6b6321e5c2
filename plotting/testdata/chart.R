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
density_case("density.tails", rivers, bw.nrd0(rivers)) # the quartiles are close

# Limits of means and of shares.
put("mean.v", precip[1:9])
put("mean.limits", c(mean(precip[1:9]), t.test(precip[1:9], conf.level = 0.9)$conf.int))
for (case in list(c(0, 12), c(5, 12), c(12, 12), c(1, 1), c(430, 1000))) {
  test <- suppressWarnings(prop.test(case[1], case[2], conf.level = 0.95, correct = FALSE))
  put(paste0("wilson.", case[1], ".", case[2]), test$conf.int)
}

# A reliability diagram: six groups of a logistic regression's probabilities.
set.seed(3)
x <- round(rnorm(60), 3)
y <- as.numeric(runif(60) < plogis(0.3 + 1.2 * x))
p <- unname(fitted(glm(y ~ x, binomial, control = glm.control(epsilon = 1e-14))))
groups <- split(order(p), rep(1:6, each = 10))
put("calibration.x", x); put("calibration.y", y)
put("calibration.mean", sapply(groups, function(g) mean(p[g])))
put("calibration.limits", sapply(groups, function(g) suppressWarnings(prop.test(sum(y[g]), 10, correct = FALSE)$conf.int)))
put("calibration.band", sapply(groups, function(g) mean(p[g]) + c(-1, 1) * qnorm(0.975) * sqrt(sum(p[g] * (1 - p[g]))) / 10))

# The area under a curve with ties, which is Wilcoxon's statistic for each pair, and its
# standard error by DeLong's formula.
score <- round(2 * plogis(x), 1)
above <- function(a, b) mean((b < a) + (b == a) / 2)
positive <- score[y == 1]; negative <- score[y == 0]
put("roc.score", score)
put("roc.auc", suppressWarnings(wilcox.test(positive, negative)$statistic) / (length(positive) * length(negative)))
put("roc.stderr", sqrt(var(sapply(positive, above, negative)) / length(positive) + var(sapply(negative, function(b) 1 - above(b, positive))) / length(negative)))
