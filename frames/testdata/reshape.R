# Writes reshape.json: what base R's merge, reshape and cut make of the tests of
# Join, Longer, Wider and Cut, on data with missing values.
# Run: LC_ALL=C Rscript reshape.R > reshape.json
library(jsonlite)
set.seed(151)
l <- data.frame(lrow = 1:14, id = sample(c(1:7, NA), 14, TRUE), g = sample(c("a", "b", NA), 14, TRUE), v = round(rnorm(14), 2), stringsAsFactors = FALSE)
r <- data.frame(rrow = 1:11, id = sample(c(3:9, NA), 11, TRUE), g = sample(c("a", "b", "c"), 11, TRUE), v = round(rnorm(11), 2), stringsAsFactors = FALSE)
r$id[c(3, 7)] <- NA
pairs <- function(by.x, by.y, all.x) {
  m <- merge(l, r, by.x = by.x, by.y = by.y, all.x = all.x)
  m <- m[order(m$lrow, m$rrow), ]
  list(by = I(ifelse(by.x == by.y, by.x, paste(by.x, "=", by.y))), left = unbox(all.x), lrow = m$lrow, rrow = I(m$rrow), names = I(sort(names(m))))
}
wide <- data.frame(id = c(3, 1, 2, 5), g = c("x", "y", "x", "y"), jan = c(1.5, NA, 3, 4), feb = c(5, 6, NA, NA), mar = c(9, 10, 11, 12), stringsAsFactors = FALSE)
long <- reshape(wide, direction = "long", varying = c("jan", "feb", "mar"), v.names = "rain", timevar = "month", times = c("jan", "feb", "mar"), idvar = "id")
long <- long[order(match(long$id, wide$id)), ]
some <- long[-c(2, 7, 9), ]
back <- reshape(some, direction = "wide", v.names = "rain", timevar = "month", idvar = c("id", "g"))
x <- c(round(runif(25, 0, 10), 2), 0, 2.5, 5, 10, NA)
label <- function(f) sub(" ", "", as.character(f)) # R writes (9, Inf] beside -Inf
cuts <- list(
  list(breaks = c(-1, 2.5, 5, 10), right = TRUE, lowest = FALSE), list(breaks = c(0, 2.5, 5, 10), right = TRUE, lowest = FALSE),
  list(breaks = c(0, 2.5, 5, 10), right = TRUE, lowest = TRUE), list(breaks = c(0, 2.5, 5, 10), right = FALSE, lowest = FALSE),
  list(breaks = c(0, 2.5, 5, 10), right = FALSE, lowest = TRUE), list(breaks = c(-Inf, 1/3, 9, Inf), right = TRUE, lowest = FALSE),
  list(breaks = c(2.5001, 2.5002, 7.12345), right = TRUE, lowest = FALSE))
cat(toJSON(list(l = as.list(l), r = as.list(r),
  joins = list(pairs("id", "id", FALSE), pairs("id", "id", TRUE), pairs(c("id", "g"), c("id", "g"), FALSE), pairs(c("id", "g"), c("id", "g"), TRUE), pairs("lrow", "id", TRUE)),
  wide = as.list(wide), long = as.list(long[c("id", "g", "month", "rain")]), some = as.list(some[c("id", "g", "month", "rain")]),
  back = list(id = back$id, g = back$g, jan = back$rain.jan, mar = back$rain.mar, feb = back$rain.feb),
  x = x, cuts = lapply(cuts, function(s) list(breaks = I(sprintf("%.17g", s$breaks)), right = unbox(s$right), lowest = unbox(s$lowest),
    values = label(cut(x, s$breaks, right = s$right, include.lowest = s$lowest)), levels = label(levels(cut(x, s$breaks, right = s$right, include.lowest = s$lowest))))),
  quartiles = as.character(cut(x, quantile(x, 0:4/4, na.rm = TRUE), include.lowest = TRUE))
), digits = NA, na = "null"), "\n")
