# Writes dates.json: what R makes of dates, for the tests of year(), month() and so
# on, of days since the first, and of a design.
# Run: LC_ALL=C TZ=UTC Rscript dates.R > dates.json
library(jsonlite)
set.seed(29)
n <- 60
t <- as.POSIXct("1890-01-01", tz = "UTC") + sort(sample(0:(210*365*24*60), n))*60
t[1:4] <- as.POSIXct(c("1969-12-31 23:59:00", "1970-01-01 00:00:00", "2000-02-29 12:30:00", "1900-03-01 06:00:00"), tz = "UTC")
p <- as.POSIXlt(t, tz = "UTC")
day <- as.Date("2024-01-05") + c(0, 3, 9, 20, 21, 33, 47, 60, 61, 75, 90, 100)
day[6] <- NA
y <- round(rnorm(length(day)), 3)
m <- model.matrix(y ~ I(as.numeric(day - min(day, na.rm = TRUE))) + factor(as.POSIXlt(day)$mon + 1) + I(as.integer(format(day, "%u")) > 5) + I(day >= as.Date("2024-02-01")))
cat(toJSON(list(time = format(t, "%Y-%m-%d %H:%M:%S"), day = format(t, "%Y-%m-%d"), since = as.numeric(t)/86400, year = p$year + 1900, month = p$mon + 1, mday = p$mday, yday = p$yday + 1,
  weekday = as.integer(format(t, "%u")), hour = p$hour + p$min/60, dates = format(day), y = y, x = as.vector(t(m[, -1])), columns = unbox(ncol(m) - 1)), digits = NA, na = "null"), "\n")
