# Reference values of OLS.HAC for infer_hac_test.go:
#   Rscript mlreg/testdata/hac.R > mlreg/testdata/hac.json
suppressMessages(library(sandwich))
num <- function(v) paste0("[", paste(sprintf("%.17g", v), collapse = ", "), "]")
out <- list()
put <- function(name, v) out[[name]] <<- num(v)
m <- cbind(log(as.numeric(mdeaths)), log(as.numeric(fdeaths)))
put("m", m[, 1]); put("f", m[, 2])
e <- embed(m, 4) # columns: lags 0, 1, 2, 3 of both
y <- e[, 1]; own <- e[, c(3, 5, 7)]; other <- e[, c(4, 6, 8)]
large <- lm(y ~ own + other)
# sandwich's defaults: scores prewhitened, and a bandwidth from the data.
se <- function(fit, ...) sqrt(diag(NeweyWest(fit, ...)))
put("nw_default", se(large)); put("nw_white4", se(large, lag = 4, adjust = TRUE)); put("nw_auto", se(large, prewhite = FALSE))
put("nw_mean", c(se(lm(y ~ 1)), se(lm(y ~ 1), prewhite = FALSE)))
put("nw_origin", se(lm(y ~ 0 + own)))
put("nw_lags", c(bwNeweyWest(large), bwNeweyWest(large, prewhite = FALSE), bwNeweyWest(lm(y ~ 1)), bwNeweyWest(lm(y ~ 1), prewhite = FALSE), bwNeweyWest(lm(y ~ 0 + own))))
cat("{\n", paste(sprintf('"%s": %s', names(out), unlist(out)), collapse = ",\n"), "\n}\n", sep = "")
