# Reference values for the subset selection tests; run in mlreg/testdata as
#   Rscript subsets.R > subsets.json
# Best subsets of every size: package leaps (Debian's r-cran-leaps), regsubsets,
# three of each size. Stepwise: step of R's stats, which stepAIC of MASS must
# agree with, by AIC and by BIC, forward, backward, and both ways from the empty
# and from the full model; F of every single term by add1.
suppressMessages({library(leaps); library(MASS)})
num <- function(v) paste0("[", paste(sprintf("%.17g", v), collapse = ", "), "]")
txt <- function(v) paste0("[", paste(sprintf('"%s"', v), collapse = ", "), "]")
prostate <- read.csv("prostate.csv")
prostate <- prostate[prostate$train, c("lpsa", "lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45")]
diabetes <- read.csv("diabetes.csv")
diabetes <- diabetes[, c(11, 1:10)]
longley <- read.csv("longley.csv")
longley <- longley[, c(7, 1:6)]

best <- function(d, y) {
  s <- summary(regsubsets(x = as.matrix(d[, -1]), y = d[[1]], nbest = 3, nvmax = ncol(d) - 1, method = "exhaustive"))
  models <- apply(s$which[, -1, drop = FALSE], 1, function(w) txt(names(d)[-1][w]))
  sprintf('{"Models": [%s], "RSS": %s, "Cp": %s, "AdjR2": %s, "R2": %s}',
          paste(models, collapse = ", "), num(s$rss), num(s$cp), num(s$adjr2), num(s$rsq))
}
walk <- function(d, direction, from, k) {
  null <- eval(bquote(lm(.(as.formula(paste(names(d)[1], "~ 1"))), data = d)))
  full <- eval(bquote(lm(.(as.formula(paste(names(d)[1], "~", paste(names(d)[-1], collapse = " + ")))), data = d)))
  start <- if (from == "full") full else null
  scope <- list(lower = formula(null), upper = formula(full))
  environment(scope$lower) <- environment(scope$upper) <- environment()
  s <- step(start, scope = scope, direction = direction, k = k, trace = 0)
  m <- stepAIC(start, scope = scope, direction = direction, k = k, trace = 0)
  stopifnot(identical(attr(terms(s), "term.labels"), attr(terms(m), "term.labels")), all.equal(s$anova$AIC, m$anova$AIC))
  sprintf('{"Direction": "%s", "From": "%s", "K": %.17g, "Steps": %s, "RSS": %s, "AIC": %s, "Final": %s}',
          direction, from, k, txt(s$anova$Step), num(s$anova[["Resid. Dev"]]), num(s$anova$AIC),
          txt(sort(attr(terms(s), "term.labels"))))
}
walks <- function(d) {
  n <- nrow(d)
  out <- c()
  for (k in c(2, log(n))) {
    out <- c(out, walk(d, "forward", "null", k), walk(d, "backward", "full", k), walk(d, "both", "null", k), walk(d, "both", "full", k))
  }
  paste(out, collapse = ",\n")
}
single <- function(d) {
  null <- lm(as.formula(paste(names(d)[1], "~ 1")), data = d)
  a <- add1(null, as.formula(paste("~", paste(names(d)[-1], collapse = " + "))), test = "F")[-1, ]
  sprintf('{"Terms": %s, "RSS": %s, "F": %s, "P": %s}', txt(rownames(a)), num(a$RSS), num(a[["F value"]]), num(a[["Pr(>F)"]]))
}
cat(sprintf('{\n"R": "%s", "leaps": "%s",\n', R.version.string, packageVersion("leaps")))
sets <- list(prostate = prostate, diabetes = diabetes, longley = longley)
cat(paste(sapply(names(sets), function(s)
  sprintf('"%s": {\n"Best": %s,\n"Single": %s,\n"Walks": [%s]}', s, best(sets[[s]]), single(sets[[s]]), walks(sets[[s]]))), collapse = ",\n"))
cat("\n}\n")
