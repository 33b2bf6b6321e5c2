# Writes contrasts.json: the coding of factors and the tests of terms for contrasts_test.go.
# Run: LC_ALL=C Rscript contrasts.R > contrasts.json
suppressMessages({library(jsonlite); library(car)})
Sum <- contr.sum; Helmert <- contr.helmert; Poly <- contr.poly; Treatment <- contr.treatment
# C of text too, and Treatment columns named by levels as without C.
C <- function(x, contr) { x <- as.factor(x); stats::C(x, contr(levels(x))) }
text <- function(d) as.data.frame(lapply(d, function(v) if (is.factor(v)) as.character(v) else v), stringsAsFactors = FALSE)
set.seed(1)
unbalanced <- text(warpbreaks)[-c(1, 2, 3, 10, 20, 21, 50), ]
unbalanced$w <- round(runif(nrow(unbalanced), .5, 2), 2)
tooth <- text(ToothGrowth)[-c(1, 2, 15, 31, 32, 33, 60), ]
tooth$w <- rep(c(1, 2, .5), length.out = nrow(tooth))
data <- list(npk = transform(text(npk), block = paste0("b", block), N = paste0("n", N), P = paste0("p", P), K = paste0("k", K), w = rep(c(1, 2, 3), 8)),
  CO2 = text(as.data.frame(CO2)), warpbreaks = text(warpbreaks), unbalanced = unbalanced, tooth = tooth)
exam <- read.csv("../../datasets/data/exam.csv", stringsAsFactors = FALSE)
cases <- list(
  list("npk", "yield ~ block + N*P*K"), list("npk", "yield ~ N*P*K + block"), list("npk", "yield ~ N*P*K + block", "w"),
  list("npk", "yield ~ C(block, Helmert) + C(N, Sum)*C(P, Sum) + C(N, Sum)*C(K, Sum)"),
  list("npk", "yield ~ C(N, Sum):C(P, Sum) + K"), list("npk", "yield ~ C(block, Sum) + C(N, Sum) - 1"),
  list("CO2", "uptake ~ Type/Plant + conc"), list("CO2", "uptake ~ Plant + Type*conc"), list("CO2", "uptake ~ Type*Treatment*conc + Plant"),
  list("CO2", "uptake ~ Plant + Type*Treatment"), list("CO2", "uptake ~ C(factor(conc), Poly)*C(Type, Sum)"),
  list("CO2", "uptake ~ C(factor(conc), Poly):Type + Treatment"), list("CO2", "uptake ~ C(Type, Sum)*C(Treatment, Sum)*conc"),
  list("CO2", "log(uptake) ~ Plant + poly(conc, 2)*C(Type, Sum)"),
  list("warpbreaks", "breaks ~ wool*tension"), list("warpbreaks", "breaks ~ C(wool, Sum)*C(tension, Sum)"),
  list("warpbreaks", "breaks ~ C(wool, Sum)*C(tension, Poly)"), list("warpbreaks", "breaks ~ wool:C(tension, Helmert)"),
  list("warpbreaks", "breaks ~ C(tension, Treatment) + wool"),
  list("unbalanced", "breaks ~ wool*tension"), list("unbalanced", "breaks ~ C(wool, Sum)*C(tension, Sum)"),
  list("unbalanced", "breaks ~ C(wool, Helmert)*C(tension, Poly)", "w"), list("unbalanced", "breaks ~ C(wool, Sum)*C(tension, Sum)", "w"),
  list("unbalanced", "breaks ~ C(wool, Sum)*tension"), list("unbalanced", "breaks ~ C(wool, Sum)*tension - 1"),
  list("unbalanced", "breaks ~ wool/C(tension, Sum)"),
  list("tooth", "len ~ C(supp, Sum)*C(factor(dose), Poly)"), list("tooth", "len ~ supp*dose"), list("tooth", "len ~ C(supp, Sum)*dose", "w"),
  list("tooth", "len ~ C(factor(dose), Helmert)*C(supp, Sum)", "w"), list("tooth", "len ~ supp + factor(dose)"),
  list("exam", "normexam ~ standLRT*sex + type + schgend"), list("exam", "normexam ~ standLRT + C(schgend, Sum)*C(type, Helmert)"),
  list("exam", "normexam ~ standLRT + schgend*sex + type*vr"))
lines <- function(names, df, ss, F, p) data.frame(term = trimws(names), df = df, ss = ss, F = F, p = p)
dropped <- function(t) { t <- t[-1, ]; if (nrow(t) == 0) return(list()); lines(rownames(t), t$Df, t[["Sum of Sq"]], t[["F value"]], t[["Pr(>F)"]]) }
# Type II by refits of the columns: with aliased terms, car tests the coefficients that are left.
type2 <- function(m) {
  x <- model.matrix(m); assign <- attr(x, "assign"); y <- model.response(model.frame(m)); w <- model.weights(model.frame(m))
  if (is.null(w)) w <- rep(1, length(y))
  factors <- attr(terms(m), "factors") > 0
  fit <- function(out) { f <- lm.wfit(x[, !(assign %in% out), drop = FALSE], y, w); c(f$rank, sum(w * f$residuals^2)) }
  s2 <- sum(w * residuals(m)^2) / df.residual(m)
  rows <- lapply(seq_len(ncol(factors)), function(k) {
    above <- which(sapply(seq_len(ncol(factors)), function(l) l != k && all(factors[factors[, k], l])))
    a <- fit(above); b <- fit(c(above, k)); df <- a[1] - b[1]; ss <- b[2] - a[2]
    F <- if (df > 0) ss / df / s2 else NA
    lines(colnames(factors)[k], df, ss, F, pf(F, df, df.residual(m), lower.tail = FALSE))
  })
  do.call(rbind, rows)
}
result <- lapply(cases, function(c) {
  d <- if (c[[1]] == "exam") exam else data[[c[[1]]]]
  d$W <- if (length(c) > 2) d[[c[[3]]]] else 1
  m <- lm(as.formula(c[[2]]), d, weights = W)
  x <- model.matrix(m)
  a <- anova(m)
  two <- type2(m)
  out <- list(data = c[[1]], formula = c[[2]], weights = if (length(c) > 2) c[[3]] else "", names = colnames(x), sums = unname(colSums(x * seq_len(nrow(x)))),
    squares = unname(colSums(x^2 * seq_len(nrow(x)))), coef = unname(coef(m)),
    anova = lines(rownames(a), a$Df, a[["Sum Sq"]], a[["F value"]], a[["Pr(>F)"]]), drop1 = dropped(drop1(m, test = "F")),
    all = dropped(drop1(m, . ~ ., test = "F")), type2 = two)
  if (!anyNA(coef(m))) {
    t <- Anova(m, type = 2)
    k <- nrow(t) - 1
    if (attr(terms(m), "intercept") == 1) stopifnot(all.equal(two$ss, t[["Sum Sq"]][1:k], tolerance = 1e-8), all.equal(two$df, t$Df[1:k]))
    t <- Anova(m, type = 3)
    t <- t[setdiff(rownames(t), "(Intercept)"), ]
    out$type3 <- lines(rownames(t), t$Df, t[["Sum Sq"]], t[["F value"]], t[["Pr(>F)"]])
  }
  out
})
cat(toJSON(list(data = data, cases = result), digits = I(17), auto_unbox = TRUE, na = "null", dataframe = "columns"), "\n")
