# Writes beyond.json: R's predictions beyond the range of bs, ns and poly, with its warnings, for extrapolation_test.go.
# Run: LC_ALL=C Rscript beyond.R > beyond.json
suppressMessages({library(jsonlite); library(splines)})
new <- data.frame(wt = c(1.6, 1.2, 2.5, 5.3, 6, 7.5, NA))
case <- function(formula) {
  m <- suppressWarnings(lm(formula, mtcars))
  warned <- character()
  p <- withCallingHandlers(predict(m, new, interval = "confidence", level = .9, se.fit = TRUE),
    warning = function(w) { warned <<- c(warned, conditionMessage(w)); invokeRestart("muffleWarning") })
  list(formula = paste(deparse(formula), collapse = ""), fit = unname(p$fit[, 1]), se = unname(p$se.fit), warnings = unique(warned))
}
cat(toJSON(list(mpg = mtcars$mpg, wt = mtcars$wt, new = new$wt, cases = list(
  case(mpg ~ bs(wt, 4)), case(mpg ~ ns(wt, 3)), case(mpg ~ poly(wt, 3)), case(mpg ~ bs(wt, 5, Boundary.knots = c(1, 7))),
  case(mpg ~ bs(wt, 4, Boundary.knots = c(2, 5))))), digits = NA, na = "null"), "\n")
