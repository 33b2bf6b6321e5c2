# Generalised variance inflation factors of car; run in mlreg/testdata as
#   Rscript gvif.R > gvif.json
# R 4.2.2 with car 3.1-1 (Debian's r-cran-car).
suppressMessages(library(car))
births <- read.csv("birthwt.csv")
num <- function(x) paste0("[", paste(sprintf("%.17g", x), collapse = ", "), "]")
case <- function(formula, weighted = FALSE) {
  m <- if (weighted) lm(as.formula(formula), births, weights = w, tol = 1e-14) else lm(as.formula(formula), births, tol = 1e-14)
  v <- suppressMessages(suppressWarnings(vif(m)))
  if (!is.matrix(v)) v <- cbind(v, 1, sqrt(v))
  sprintf('{"Formula": "%s", "Weighted": %s,\n "Terms": [%s],\n "GVIF": %s,\n "DF": %s,\n "PerDF": %s}', formula, tolower(weighted),
          paste0('"', rownames(v), '"', collapse = ", "), num(v[, 1]), num(v[, 2]), num(v[, 3]))
}
cat("[", paste(c(
  case("lwt ~ age + smoke + ptl + ht + ui"),
  case("lwt ~ age + factor(race) + smoke + ptl"),
  case("lwt ~ factor(race) + factor(ftv) + smoke"),
  case("lwt ~ age + factor(race) * smoke + factor(ftv)"),
  case("lwt ~ poly(age, 3) + factor(race) + factor(ftv) + ui"),
  case("lwt ~ poly(age, 3, raw = TRUE) + factor(race) + ht"),
  case("lwt ~ age + factor(race) + factor(ftv) + smoke", TRUE),
  case("lwt ~ 0 + age + ptl + off")), collapse = ",\n"), "]\n")
