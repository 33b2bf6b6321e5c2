# Reference values of FitAbsorbed for ols_absorb_test.go:
#   Rscript mlreg/testdata/absorb.R > mlreg/testdata/absorb.json
# The fits are lm's, with a column for every level; fixest, plm and Stata give these coefficients.
suppressMessages(library(sandwich))
num <- function(v) paste0("[", paste(sprintf("%.17g", v), collapse = ", "), "]")
out <- list()
put <- function(name, v) out[[name]] <<- num(unname(v))
set.seed(11)
n <- 90
zone <- sample(1:12, n, replace = TRUE, prob = 12:1); zone[n] <- 13 # one level of one row
firm <- sample(1:9, n, replace = TRUE)                               # crosses zones
region <- zone %% 5                                                  # zones nest in it
x1 <- round(1000 + rnorm(n) + zone, 3); x2 <- round(rexp(n), 3)
y <- round(3 + 0.5 * x1 - 2 * x2 + 5 * sin(zone) + rnorm(n) * (0.5 + x2) + rnorm(9)[firm], 3)
w <- round(runif(n, 0.2, 2), 3)
put("zone", zone); put("firm", firm); put("region", region); put("x1", x1); put("x2", x2); put("y", y); put("w", w)
f <- factor(zone)
c1 <- x1 - 1000 # of which lm and sandwich keep more digits; slopes are the same
for (weighted in c(FALSE, TRUE)) {
  at <- if (weighted) "w_" else ""
  ww <- if (weighted) w else rep(1, n)
  fit <- lm(y ~ 0 + f + c1 + x2, weights = ww)
  slopes <- c("c1", "x2")
  k <- length(coef(fit)); L <- nlevels(f); p <- 2
  put(paste0(at, "coef"), coef(fit)[slopes]); put(paste0(at, "effects"), coef(fit)[paste0("f", levels(f))] - 1000 * coef(fit)["c1"])
  put(paste0(at, "vcov"), vcov(fit)[slopes, slopes])
  put(paste0(at, "hc0"), vcovHC(fit, type = "HC0")[slopes, slopes]); put(paste0(at, "hc1"), vcovHC(fit, type = "HC1")[slopes, slopes])
  # A level of one row has leverage 1, for which HC2 and HC3 are not defined; without it the slopes are the same.
  more <- lm(y ~ 0 + factor(zone) + c1 + x2, weights = ww, subset = ave(zone, zone, FUN = length) > 1)
  put(paste0(at, "hc2"), vcovHC(more, type = "HC2")[slopes, slopes]); put(paste0(at, "hc3"), vcovHC(more, type = "HC3")[slopes, slopes])
  bare <- function(by) vcovCL(fit, cluster = by, type = "HC0", cadjust = FALSE)[slopes, slopes]
  g <- function(by) length(unique(by)) / (length(unique(by)) - 1)
  put(paste0(at, "by_zone"), bare(zone) * g(zone) * (n - 1) / (n - p - 1))       # Stata's xtreg, fe
  put(paste0(at, "by_region"), bare(region) * g(region) * (n - 1) / (n - p - 1)) # zones nest in regions
  put(paste0(at, "by_firm"), bare(firm) * g(firm) * (n - 1) / (n - k))
  rss <- sum(ww * resid(fit)^2)
  # R-squared of lm(y ~ f + x1 + x2), which has an intercept, and of the rows less the means of their levels.
  tss <- sum(ww * (y - weighted.mean(y, ww))^2); within <- sum(ww * resid(lm(y ~ 0 + f, weights = ww))^2)
  put(paste0(at, "facts"), c(rss, df.residual(fit), 1 - rss / tss, 1 - rss / within, summary(lm(y ~ f + c1 + x2, weights = ww))$adj.r.squared))
  put(paste0(at, "fitted"), fitted(fit))
}
cat("{\n", paste(sprintf('"%s": %s', names(out), unlist(out)), collapse = ",\n"), "\n}\n", sep = "")
