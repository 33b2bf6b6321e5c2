# Writes expressions.json: design matrices of R for the tests of conditions, of
# nesting and of levels in formulas, on data with missing values.
# Run: LC_ALL=C Rscript expressions.R > expressions.json
library(jsonlite)
library(splines)
set.seed(3)
n <- 18
df <- data.frame(
  y = round(rexp(n) + .5, 3), a = round(rnorm(n, 50, 7), 1), b = round(runif(n), 2),
  k = rep(c(8, 4, 6), length.out = n), g = rep(c("red", "green", "blue", "it's"), length.out = n),
  h = rep(c("u", "v"), each = 2, length.out = n), f = rep(c(TRUE, FALSE, FALSE, TRUE, FALSE), length.out = n),
  stringsAsFactors = FALSE)
df$a[4] <- NA; df$k[7] <- NA; df$g[11] <- NA; df$f[2] <- NA
formulas <- c(
  "y ~ I(k == 4)", "y ~ I(a > 50 & k != 6)", "y ~ I(a > 50 | k != 6) + b", "y ~ I(g %in% c(\"red\", 'blue'))",
  "y ~ I(k %in% 4:6)", "y ~ I(k %in% c(4, 8:9))", "y ~ I(!(k == 4))", "y ~ factor(k == 4)", "y ~ k == 4",
  "y ~ b + (k == 4)", "y ~ (k == 4):b", "y ~ (b > 0.5)*k", "y ~ !f", "y ~ b + !f", "y ~ I(f)", "y ~ I(g)", "y ~ I(f & b > 0.3)",
  "y ~ I((b > 0.5)*k)", "y ~ I(-(k == 4)) + I(1*f)", "y ~ ifelse(b > 0.5, 'hi', \"lo\")", "y ~ ifelse(b > 0.5, a, -1)",
  "y ~ ifelse(is.na(a), 0, a) + is.na(a)", "y ~ ifelse(f, b > 0.5, b < 0.2)", "y ~ factor(ifelse(b > 0.5, 2, 1)):a", "y ~ I(k == '4')",
  "y ~ I(f == TRUE) + I(b <= 0.5)", "y ~ I(g < 'green')", "y ~ I(g != \"it's\" & a >= 45)", "y ~ I(b > 0.5) - 1", "y ~ I(b > 0.5)*h - 1",
  "y ~ I(is.na(g) | g == 'red')", "y ~ I(is.na(k) & b > 0.2)", "y ~ I(f | b > 0.5)", "y ~ I(f & b > 0.5)", "y ~ I(f %in% TRUE)",
  "y ~ k == 4 & b > 0.3", "y ~ b + k > 6", "y ~ log(ifelse(a > 50, a - 50, 1))", "y ~ scale(k == 4)", "y ~ poly(b > 0.5, 1)", "y ~ I(f + k > 6)",
  "y ~ factor(g, levels = c('red', \"it's\", 'blue', 'green'))", "y ~ factor(g, levels = c('red', 'blue'))*b", "y ~ factor(g, c('red', 'blue'))",
  "y ~ factor(g, levels = unique(g))", "y ~ factor(k, levels = unique(k))*h", "y ~ factor(k, levels = c(8, 4, 6))", "y ~ factor(f, levels = c(TRUE, FALSE))",
  "y ~ relevel(factor(g, levels = c('red', \"it's\", 'blue', 'green')), ref = 'blue')", "y ~ factor(k + 1)", "y ~ factor(k > 4, levels = c(TRUE, FALSE)):b",
  "y ~ a + h %in% g", "y ~ g %in% h", "y ~ g/h", "y ~ (g + b) %in% h", "y ~ b %in% (g + h)", "y ~ g + h %in% g + b", "y ~ a %in% g:h", "y ~ g %in% h + h - 1",
  "y ~ b/(k == 4)", "(y > 1) ~ b", "I(y > 1 & k == 4) ~ b", "y ~ I(b**2) + k %in% h", "y ~ ifelse(a > 50, g, h)", "y ~ I(2*(a > 50) + !f)",
  "y ~ scale(b) + a", "y ~ scale(b, center = FALSE) + scale(a) + k", "y ~ ns(b, 3) + a + f", "y ~ ns(a, df = 2)*h + g", "y ~ bs(b, df = 4):h + g",
  "y ~ bs(a) + f", "y ~ poly(b, 3) + a + k", "y ~ poly(log(b + 1), 2):h + g", "y ~ scale(log(0.965 - b)) + k", "y ~ scale(ifelse(is.na(a), 0, a)) + f",
  "y ~ ns(ifelse(b > 0.5, a, 40), 2) + f + k")
design <- function(text) {
  t <- terms(as.formula(text), data = df)
  m <- model.frame(t, df)
  x <- model.matrix(t, m)
  list(formula = text, labels = attr(t, "term.labels"), names = colnames(x), x = as.vector(t(unname(x))),
    y = as.numeric(model.response(m)), rows = as.integer(row.names(m)))
}
# toJSON writes 15 digits; numbers of a design are written with 17.
digits17 <- function(x) structure(paste0("[", paste(sprintf("%.17g", x), collapse = ","), "]"), class = "json")
cat(toJSON(list(data = as.list(df), designs = unname(lapply(formulas, function(f) {
  d <- design(f)
  d$formula <- unbox(d$formula)
  d$x <- digits17(d$x)
  d$y <- digits17(d$y)
  d
}))), digits = 15, na = "null", json_verbatim = TRUE), "\n")
