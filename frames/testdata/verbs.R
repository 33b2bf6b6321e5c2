# Writes verbs.json: what base R makes of the tests of Where, With and Sort, on
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
cat(toJSON(list(
  data = as.list(df),
  where = lapply(where, function(s) list(src = unbox(s), rows = which(quietly(eval(parse(text = s)[[1]], df)) & rep(TRUE, n)))),
  with = lapply(with, function(s) {
    v <- quietly(rep_len(eval(parse(text = s)[[1]], df), n))
    list(src = unbox(s), type = unbox(class(v)), values = I(ifelse(is.na(v), "NA", if (is.numeric(v)) sprintf("%.17g", v) else as.character(v))))
  }),
  sort = lapply(sorts, function(s) list(keys = I(s), rows = do.call(order, lapply(s, key))))
), digits = NA, na = "null"), "\n")
