# Writes verbs.json: what base R makes of the tests of Where, With, Sort and GroupBy, on
# data with missing values. Run: LC_ALL=C Rscript verbs.R > verbs.json
library(jsonlite)
set.seed(15)
n <- 40
df <- data.frame(
  x = round(rnorm(n), 2), y = round(rexp(n) - .2, 2), k = sample(c(4, 6, 8), n, TRUE), z = sample(c(0, 1, 2), n, TRUE),
  g = sample(c("a", "b", "B", "c"), n, TRUE), f = sample(c(TRUE, FALSE), n, TRUE), stringsAsFactors = FALSE)
for (v in names(df)[names(df) != "z"]) df[[v]][sample(n, 5)] <- NA
where <- c("x > 0", "x > 0 & k == 6", "x > 0 | k == 6", "!(x > 0)", "is.na(g)", "g == 'a' | is.na(x)", "g %in% c('a', 'B')", "!(g %in% c('a', 'B'))",
  "g >= 'b'", "f", "!f", "f & x > 0", "f == (k == 4)", "y/z > 0.5", "z/z == 1", "log(y) > 0", "-1/z < 0", "ifelse(is.na(x), y, x) > 0.1",
  "abs(x - y) < 0.5 & !is.na(k)", "x^2 + y^2 < 1", "k %in% 4:6 & z != 0", "ifelse(f, x, y) >= 0", "TRUE", "k > 4 & TRUE", "sqrt(x) > 0.5", "(x > 0) + (y > 0) == 2")
with <- c("x + y", "x > y", "ifelse(x > 0, g, 'none')", "ifelse(z == 0, NA, x/z)", "k %in% c(4, 6)", "x^2 - 3*y + 1", "round(1) * 0 + k", "is.na(f)",
  "ifelse(is.na(k), 0, k)", "f & x > 0", "exp(x)", "pi*x", "f | is.na(f)")
with <- with[!grepl("round", with)]
sorts <- list(c("x"), c("-x"), c("k", "-x"), c("g", "f", "x"), c("-k", "g"), c("f"), c("-f", "-y"), c("abs(x)"), c("-z", "k", "g", "y"))
key <- function(s) {
  down <- startsWith(s, "-")
  v <- eval(parse(text = sub("^-", "", s))[[1]], df)
  v <- if (is.character(v)) match(v, sort(unique(v), method = "radix")) else as.numeric(v)
  if (down) -v else v
}
quietly <- suppressWarnings
# Groups in the order of order(), missing keys last, as dplyr's; every summary
# is evaluated in the rows of the group.
groupings <- list("k", "g", "f", c("k", "g"), c("f", "z", "k"))
summaries <- c("n()", "mean(x)", "mean(x, na.rm = TRUE)", "sd(x, na.rm = TRUE)", "var(y)", "sum(x > 0, na.rm = TRUE)", "sum(is.na(x))", "median(y, na.rm = TRUE)",
  "quantile(x, 0.25, na.rm = TRUE)", "quantile(y, probs = 0.9, na.rm = TRUE)", "IQR(x, na.rm = TRUE)", "mad(y, na.rm = TRUE)", "min(z)", "max(x)", "max(x, na.rm = TRUE)",
  "any(x > 1)", "all(x > -5)", "any(x > 5)", "sum(y, na.rm = TRUE)/n()", "mean(x*z, na.rm = TRUE) - mean(y, na.rm = TRUE)", "sum(z)", "n_distinct(k)", "n_distinct(g, na.rm = TRUE)",
  "first(z)", "last(g)", "min(g)", "max(g, na.rm = TRUE)", "cor(x, y, na.rm = TRUE)", "weighted.mean(y, z + 1, na.rm = TRUE)", "weighted.mean(y, x^2, na.rm = TRUE)", "mean(f)", "max(x, na.rm = TRUE) - min(x, na.rm = TRUE)")
own <- list(n_distinct = function(x, na.rm = FALSE) length(unique(if (na.rm) x[!is.na(x)] else x)), first = function(x) x[1], last = function(x) x[length(x)],
  cor = function(x, y, na.rm) { ok <- !is.na(x) & !is.na(y); if (sum(ok) < 2) NA else quietly(stats::cor(x[ok], y[ok])) },
  quantile = function(x, probs, na.rm) stats::quantile(x, probs, na.rm = na.rm, names = FALSE),
  max = function(x, na.rm = FALSE) { if (na.rm) x <- x[!is.na(x)]; if (length(x)) base::max(x) else NA },
  min = function(x, na.rm = FALSE) { if (na.rm) x <- x[!is.na(x)]; if (length(x)) base::min(x) else NA })
grouped <- function(keys) {
  id <- do.call(paste, c(df[keys], sep = "\r"))
  first <- which(!duplicated(id))
  first <- first[do.call(order, lapply(keys, function(k) key(k)[first]))]
  list(keys = I(keys), rows = first, values = lapply(summaries, function(s) list(src = unbox(s), values = I(sapply(first, function(i) {
    part <- df[id == id[i], ]
    v <- quietly(eval(parse(text = s)[[1]], c(own, list(n = function() nrow(part)), part)))
    if (is.na(v)) "NA" else if (is.character(v)) v else sprintf("%.17g", as.numeric(v))
  })))))
}
shares <- c("x/sum(x, na.rm = TRUE)", "(y - mean(y, na.rm = TRUE))/sd(y, na.rm = TRUE)", "x == max(x, na.rm = TRUE)", "n() + 0*z")
cat(toJSON(list(
  data = as.list(df),
  where = lapply(where, function(s) list(src = unbox(s), rows = which(quietly(eval(parse(text = s)[[1]], df)) & rep(TRUE, n)))),
  with = lapply(with, function(s) {
    v <- quietly(rep_len(eval(parse(text = s)[[1]], df), n))
    list(src = unbox(s), type = unbox(class(v)), values = I(ifelse(is.na(v), "NA", if (is.numeric(v)) sprintf("%.17g", v) else as.character(v))))
  }),
  group = lapply(groupings, grouped),
  share = lapply(shares, function(s) {
    v <- rep(NA_real_, n)
    for (k in unique(df$k)) {
      at <- if (is.na(k)) is.na(df$k) else !is.na(df$k) & df$k == k
      part <- df[at, ]
      v[at] <- as.numeric(eval(parse(text = s)[[1]], c(list(n = function() nrow(part)), part)))
    }
    list(src = unbox(s), values = I(ifelse(is.na(v), "NA", sprintf("%.17g", v))))
  }),
  sort = lapply(sorts, function(s) list(keys = I(s), rows = do.call(order, lapply(s, key))))
), digits = NA, na = "null"), "\n")
