# Writes model_matrix.json: design matrices of R for the tests of formulas.
# Run: LC_ALL=C Rscript model_matrix.R > model_matrix.json
library(splines)
out <- function(x) {
  if (is.character(x)) paste0("[", paste(encodeString(x, quote = '"'), collapse = ","), "]")
  else paste0("[", paste(sprintf("%.17g", x), collapse = ","), "]")
}
set.seed(1)
n <- 24
df <- data.frame(
  y = round(rexp(n) + .5, 3), a = round(rnorm(n, 50, 7), 2), b = round(runif(n), 3),
  k = rep(c(10, 2, 7), length.out = n), z = rep(c(1, 2), each = 12),
  g = rep(c("red", "green", "blue"), length.out = n), h = rep(c("u", "v"), each = 2, length.out = n),
  f = rep(c(TRUE, FALSE, FALSE, TRUE, FALSE), length.out = n), `my col` = round(rnorm(n), 2),
  check.names = FALSE, stringsAsFactors = FALSE)
formulas <- c(
  "y ~ a + b", "y ~ .", "log(y) ~ . - k - `my col`", "y ~ a + b - 1", "y ~ 0 + g + a", "y ~ a - g + 0 + f",
  "y ~ a:b", "y ~ b:a + b", "y ~ a*b", "y ~ (a + b + z)^2", "y ~ (a + g + h)^3 - a:g:h", "y ~ (a + b + g)^2 - a",
  "y ~ I(a^2) + I((a + 1)/b) + log(a) + log2(a) + log10(a) + sqrt(a) + exp(-b) + abs(a - 50) + sin(a) + cos(a) + log1p(b)",
  "y ~ poly(a, 3)", "y ~ poly(a, degree = 2, raw = TRUE) + b", "y ~ poly(a, 1)", "y ~ poly(log(a), 2):b", "y ~ poly(a, 6)",
  "y ~ factor(k)", "y ~ factor(k):a", "y ~ factor(k)*g", "y ~ g:h", "y ~ g:h - 1", "y ~ g + g:h", "y ~ h:g + g", "y ~ a + a:g",
  "y ~ g + a:g", "y ~ g*h*a", "y ~ g/a", "y ~ (a + b)/g", "y ~ g/h - 1", "y ~ `my col` + `my col`:g", "y ~ f*a", "y ~ a + a + a:a",
  "~ a + I(1e5 * b) + I(b * 0.1) + I(-b^2) + I(2^-b)", "I(y - a) ~ a", "y ~ g:poly(a, 2)", "y ~ -1 + f + g", "y ~ a:b:g + g:f + h - 1",
  "y ~ (g + h)^2 + a - g", "y ~ I(a*b)+a*b-a:b", "y ~ .^2 - g:. ",
  "y ~ ns(a, 4) + b", "y ~ ns(log(a), knots = c(3.8, 3.9)):g + g", "y ~ bs(a, df = 5)*b", "y ~ ns(a)", "y ~ bs(b, knots = 0.5, degree = 2, intercept = TRUE) - 1",
  "y ~ ns(a, df = 3, Boundary.knots = c(40, 60))",
  "y ~ scale(a) + scale(b, center = FALSE) + scale(z, scale = FALSE)", "y ~ scale(b + z):g", "y ~ sin(2*pi*b) + I(pi*a)",
  "y ~ relevel(factor(g), ref = \"green\")*a", "y ~ as.factor(k)")
cat('{"data": {\n')
cat(paste(vapply(names(df), function(v) paste0('"', v, '": ', if (is.logical(df[[v]])) paste0("[", paste(tolower(df[[v]]), collapse = ","), "]") else out(df[[v]])), ""), collapse = ",\n"))
cat('},\n"designs": [\n')
cases <- vapply(formulas, function(text) {
  f <- as.formula(text)
  t <- terms(f, data = df)
  m <- model.frame(t, df)
  x <- model.matrix(t, m)
  y <- model.response(m)
  paste0('{"formula": ', encodeString(text, quote = '"'), ', "labels": ', out(attr(t, "term.labels")),
    ', "names": ', out(colnames(x)), ',\n"x": ', out(as.vector(t(unname(x)))),
    if (!is.null(y)) paste0(',\n"y": ', out(as.vector(y))), "}")
}, "")
cat(paste(cases, collapse = ",\n"))
cat("\n]}\n")
