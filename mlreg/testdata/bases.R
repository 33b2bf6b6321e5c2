# Writes bases.json: bases of R, at training and at new values, for the tests of
# bases. Run: Rscript bases.R > bases.json
library(splines)
num <- function(x) paste0("[", paste(sprintf("%.17g", x), collapse = ", "), "]")
set.seed(2)
x <- round(c(rexp(25), 4, 4, 4, 5.5), 3) # ties, and uneven
inside <- c(0.5, 1.25, 3)
new <- c(min(x), inside, max(x), -1, 0, 6.25, 9)
case <- function(name, b, predicted) sprintf('{"name": "%s", "columns": %d, "knots": %s, "boundary": %s,\n"train": %s,\n"new": %s}',
  name, ncol(b), num(as.vector(attr(b, "knots"))), num(attr(b, "Boundary.knots")), num(as.vector(t(b))), num(as.vector(t(predicted))))
both <- function(name, b) case(name, b, suppressWarnings(predict(b, new)))
p <- poly(x, 5)
cat('{"R": "', R.version.string, '",\n"x": ', num(x), ',\n"new": ', num(new), ',\n"cases": [\n', sep = "")
cat(paste(
  both("ns default", ns(x)), both("ns df=2", ns(x, df = 2)), both("ns df=4", ns(x, df = 4)), both("ns df=7", ns(x, df = 7)),
  both("ns knots", ns(x, knots = c(2, 1))), both("ns intercept", ns(x, df = 5, intercept = TRUE)),
  both("ns boundary", ns(x, df = 4, Boundary.knots = c(0.2, 3.5))),
  both("bs default", bs(x)), both("bs df=6", bs(x, df = 6)), both("bs knots", bs(x, knots = c(1, 2))),
  both("bs degree 1", bs(x, df = 4, degree = 1)), both("bs degree 2", bs(x, df = 5, degree = 2)), both("bs degree 5", bs(x, df = 8, degree = 5)),
  both("bs intercept", bs(x, df = 7, intercept = TRUE)), both("bs boundary", suppressWarnings(bs(x, df = 5, Boundary.knots = c(0.2, 3.5)))),
  sep = ",\n"))
cat('],\n"alpha": ', num(attr(p, "coefs")$alpha), ',\n"norm2": ', num(attr(p, "coefs")$norm2),
  ',\n"polyTrain": ', num(as.vector(t(p))), ',\n"polyNew": ', num(as.vector(t(unclass(predict(p, new))))), "}\n", sep = "")
