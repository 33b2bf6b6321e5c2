# Reference values of time series for reference_test.go:
#   Rscript mlreg/tsa/testdata/lags.R > mlreg/tsa/testdata/lags_r.json
# R's own stats package, sandwich and lmtest; the covariance of Newey and West is also
# written out.
suppressMessages({library(sandwich); library(lmtest)})
x <- log10(as.numeric(lynx))
n <- length(x)
num <- function(v) paste0("[", paste(sprintf("%.17g", v), collapse = ", "), "]")
out <- list()
put <- function(name, v) out[[name]] <<- num(v)
put("x", x)
put("acf", acf(x, lag.max = 12, plot = FALSE)$acf[-1])
put("pacf", pacf(x, lag.max = 12, plot = FALSE)$acf)
holes <- x; holes[c(5, 40, 41)] <- NA
put("acf_holes", acf(holes, lag.max = 12, plot = FALSE, na.action = na.pass)$acf[-1])
b <- Box.test(x, lag = 7, type = "Ljung-Box", fitdf = 2)
put("box", c(b$statistic, b$parameter, b$p.value))
yw <- ar.yw(x, aic = FALSE, order.max = 4)
put("yw", yw$ar); put("yw_var", yw$var.pred)
ols <- ar.ols(x, aic = FALSE, order.max = 4, demean = FALSE, intercept = TRUE)
put("ols", c(ols$x.intercept, ols$ar)); put("ols_se", c(ols$asy.se.coef$x.mean, ols$asy.se.coef$ar))
p <- predict(ols, n.ahead = 10)
put("ols_pred", p$pred); put("ols_var", ols$var.pred); put("ols_pred_se", p$se)
# CSS conditions on the first 4 values, as least squares does; its sigma2 is RSS/(n - 4).
css <- arima(x, order = c(4, 0, 0), method = "CSS", optim.control = list(reltol = 1e-15, maxit = 1000))
put("css", css$coef); put("css_sigma2", css$sigma2); put("css_loglik", css$loglik)
# Every order to as many rows as it has lags for; AIC less its minimum.
own <- ar.ols(x, aic = TRUE, order.max = 8, demean = FALSE, intercept = TRUE)
put("own_aic", own$aic); put("own_order", own$order)
put("pgram", spec.pgram(x, taper = 0, detrend = FALSE, demean = TRUE, fast = FALSE, plot = FALSE)$spec)
sp <- spec.ar(yw, n.freq = 9, plot = FALSE)
put("spec", sp$spec)
put("roots", sort(1 / Mod(polyroot(c(1, -yw$ar))), decreasing = TRUE))
# A second channel, and Granger's test by nested fits.
m <- cbind(log(as.numeric(mdeaths)), log(as.numeric(fdeaths)))
put("m", m[, 1]); put("f", m[, 2])
e <- embed(m, 4) # columns: lags 0, 1, 2, 3 of both
y <- e[, 1]; own <- e[, c(3, 5, 7)]; other <- e[, c(4, 6, 8)]
large <- lm(y ~ own + other); a <- anova(lm(y ~ own), large)
put("granger", c(a$F[2], a$Df[2], a$Res.Df[2], a$`Pr(>F)`[2]))
nw <- function(fit, L, adjust) {
  X <- model.matrix(fit); s <- X * resid(fit); N <- nrow(X)
  S <- crossprod(s)
  for (l in seq_len(L)) { g <- crossprod(s[-(1:l), ], s[1:(N - l), ]); S <- S + (1 - l / (L + 1)) * (g + t(g)) }
  G <- solve(crossprod(X)); V <- G %*% S %*% G
  if (adjust) V <- V * N / (N - ncol(X))
  V
}
stopifnot(all.equal(nw(large, 4, FALSE), NeweyWest(large, lag = 4, prewhite = FALSE)))
stopifnot(all.equal(nw(large, 4, TRUE), NeweyWest(large, lag = 4, prewhite = FALSE, adjust = TRUE)))
lt <- grangertest(m[, 1] ~ m[, 2], order = 3)
stopifnot(all.equal(c(lt$F[2], -lt$Df[2], lt$Res.Df[1], lt$`Pr(>F)`[2]), c(a$F[2], a$Df[2], a$Res.Df[2], a$`Pr(>F)`[2])))
put("nw4", sqrt(diag(nw(large, 4, FALSE)))); put("nw4_adjusted", sqrt(diag(nw(large, 4, TRUE))))
V <- nw(large, 4, FALSE); b <- coef(large)[5:7]
put("granger_hac", c(b %*% solve(V[5:7, 5:7], b)) / 3)
# Seasonal terms and a trend beside lags.
t <- 0:71
sea <- lm(m[-1, 1] ~ m[-72, 1] + t[-1] + sin(2*pi*t[-1]/12) + cos(2*pi*t[-1]/12) + sin(4*pi*t[-1]/12) + cos(4*pi*t[-1]/12))
put("seasonal", coef(sea))
cat("{\n", paste(sprintf('"%s": %s', names(out), unlist(out)), collapse = ",\n"), "\n}\n", sep = "")
