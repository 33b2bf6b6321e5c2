# Writes values.json: what R makes of the tests of functions of text, of choices, of order and of times
# in With, on data with missing values. Run: LC_ALL=C.UTF-8 TZ=UTC Rscript values.R > values.json
suppressPackageStartupMessages({library(jsonlite); library(dplyr); library(stringr); library(lubridate); library(data.table)})
set.seed(37)
n <- 24
df <- data.frame(
  s = sample(c(" New York", "new york ", "N.Y.", "Z\u00fcrich", "a,b,", ",x", "", "abc", "A-1", "b-22-c", "$5", "3 kg"), n, TRUE),
  u = sample(c("a", "b", "c"), n, TRUE), d = sample(c("12", " 3.5", "1e3", "-7", ""), n, TRUE),
  x = round(rnorm(n), 2), k = sample(c(1, 2, 3, 10), n, TRUE), f = sample(c(TRUE, FALSE), n, TRUE), g = sample(c("p", "q", "r"), n, TRUE),
  day = format(as.Date("2023-12-28") + sample(0:500, n, TRUE)), t = format(as.POSIXct("2023-12-31 22:30:00", tz = "UTC") + 3600*sample(0:5000, n, TRUE), "%Y-%m-%d %H:%M:%S"),
  stringsAsFactors = FALSE)
for (v in names(df)[names(df) != "g"]) df[[v]][sample(n, 4)] <- NA
date <- function(x) ifelse(is.na(x), NA, format(x, if (inherits(x, "Date") || all(format(x, "%H:%M:%S") == "00:00:00", na.rm = TRUE)) "%Y-%m-%d" else "%Y-%m-%d %H:%M:%S"))
# What is written otherwise in R: here, there.
same <- c("tolower(s)", "toupper(s)", "trimws(s)", "trimws(s, 'left')", "trimws(s, which = 'right')", "nchar(s)", "nchar(k)", "substr(s, 2, 4)", "substr(s, nchar(s) - 1, nchar(s))",
  "substr(s, 0, 2)", "substr(s, 3, 2)", "substr(s, 1, k)", "startsWith(s, 'a')", "endsWith(s, 'k ')", "startsWith(s, u)", "paste(s, k)", "paste(u, x, f, sep = '|')", "paste0(u, '-', k)",
  r"---(sub("[aeiou]", "*", s))---", r"---(gsub("[aeiou]", "*", s))---", r"---(gsub("\\.", "", s))---", r"---(gsub(".", "", s, fixed = TRUE))---", r"---(sub("^(.)(.*)$", "\\2\\1", s))---", r"---(gsub("([a-z])", "<\\1>", s))---",
  r"---(gsub("$", "!", s, fixed = TRUE))---", r"---(sub("5", "$ ", s))---", r"---(gsub("n", "m", s, ignore.case = TRUE))---", r"---(grepl("^[A-Z]", s))---", r"---(grepl("new", s, ignore.case = TRUE))---", r"---(grepl("[[:space:]]", s))---",
  r"---(grepl("a|A-", s))---", r"---(gsub("\\s+", " ", s))---", r"---(str_extract(s, "[0-9]+"))---", r"---(str_extract(s, "[a-z]+"))---",
  "sprintf('%s has %d', u, k)", "sprintf('%5.1f|%-6s|%05d', x, u, k)", "sprintf('%e', x)", "sprintf('%g', x*1e6)", "sprintf('%+.2f%%', x)", "sprintf('%s', x)", "sprintf('%5s', f)", "sprintf('%x', k)",
  "as.numeric(d)", "as.numeric(f)", "as.numeric(x)", "as.character(x)", "as.integer(x)", "round(x, 1)", "round(x)", "round(x*1000, -2)", "x %% 1.5", "-x %% k", "k %% -4", "k %/% 3", "x %/% 0.25", "-x %/% k", "2 * k %% 3 + 1", "3 * k %% 4 == 0", "ifelse(k %% 2 == 0, 'even', 'odd')", "sign(x)", "trunc(x * 3)", "coalesce(x, k, 0)", "coalesce(u, s)", "coalesce(k > 2, f)", "pmin(x, k)", "pmax(x, k, 0)", "pmax(x, k, na.rm = TRUE)",
  "nchar(trimws(s)) > 3 & grepl('a', s)", "ifelse(grepl('^b', s), substr(s, 1, 1), u)", "u %in% c('a', 'c')", "as.numeric(str_extract(s, '[0-9]+')) + 1",
  "recode(u, a = 'one', b = 'two')", "recode(u, a = 'one', .default = 'other')", "recode(u, a = 'one', .missing = 'none')", "recode(k, `1` = 'one', `10` = 'ten', .default = 'more')",
  "recode(u, a = 1, b = 2, c = 3)", "recode(k, `1` = 100)")
other <- list(
  c("strsplit(s, '-', 2)", "sapply(strsplit(s, '-'), `[`, 2)"), c("strsplit(s, ',', 1)", "sapply(strsplit(s, ','), `[`, 1)"), c("strsplit(s, '.', 2, fixed = TRUE)", "sapply(strsplit(s, '.', fixed = TRUE), `[`, 2)"),
  c("strsplit(s, '[ -]', -1)", "sapply(strsplit(s, '[ -]'), function(p) if (length(p)) p[length(p)] else NA)"), c("paste(s, k)", "paste(s, k)"),
  c("case_when(x > 1, 'high', x > 0, 'middle', TRUE, 'low')", "case_when(x > 1 ~ 'high', x > 0 ~ 'middle', TRUE ~ 'low')"), c("case_when(x > 0, k, f, -1)", "case_when(x > 0 ~ k, f ~ -1)"),
  c("case_when(is.na(x), NA, x > 0, 1, TRUE, 0)", "case_when(is.na(x) ~ NA_real_, x > 0 ~ 1, TRUE ~ 0)"),
  c("year(day)", "year(as.Date(day))"), c("as.Date(t)", "date(as.Date(t))"), c("as.Date(40000 + k, origin = '1899-12-30')", "date(as.Date(40000 + k, origin = '1899-12-30'))"), c("floor_date(t, 'hour')", "date(floor_date(ymd_hms(t), 'hour'))"),
  lapply(c("day", "month", "quarter", "year"), function(u) c(sprintf("floor_date(t, '%s')", u), sprintf("date(floor_date(ymd_hms(t), '%s'))", u))),
  c("floor_date(t, 'week')", "date(floor_date(ymd_hms(t), 'week', week_start = 1))"), c("floor_date(day, 'week')", "date(floor_date(as.Date(day), 'week', week_start = 1))"), c("floor_date(day, 'quarter')", "date(floor_date(as.Date(day), 'quarter'))"),
  c("as.numeric(day)", "as.numeric(as.Date(day))"), c("from_utc(t, 'Europe/Zurich')", "format(with_tz(ymd_hms(t), 'Europe/Zurich'), '%Y-%m-%d %H:%M:%S')"),
  c("to_utc(t, 'America/New_York', repeated = 'first', skipped = 'forward')", "format(with_tz(force_tz(ymd_hms(t), 'America/New_York'), 'UTC'), '%Y-%m-%d %H:%M:%S')"))
other <- c(other[!sapply(other, is.list)], unlist(other[sapply(other, is.list)], recursive = FALSE))
window <- list(
  c("lag(x)", "lag(x)"), c("lag(u, 2)", "lag(u, 2)"), c("lead(x)", "lead(x)"), c("lead(day, n = 3)", "lead(day, 3)"), c("cumsum(k)", "cumsum(k)"), c("cumsum(ifelse(is.na(x), 0, x))", "cumsum(ifelse(is.na(x), 0, x))"),
  c("cumsum(x > 0)", "cumsum(x > 0)"), c("cumprod(k)", "cumprod(k)"), c("cummax(x)", "cummax(x)"), c("cummin(x)", "cummin(x)"), c("diff(x)", "c(NA, diff(x))"), c("diff(k, 2)", "c(NA, NA, diff(k, 2))[seq_along(k)]"),
  c("x - lag(x)", "x - lag(x)"), c("rank(x)", "rank(x)"), c("rank(-k)", "rank(-k)"), c("rank(k, ties.method = 'min')", "rank(k, ties.method = 'min')"), c("rank(k, ties.method = 'max')", "rank(k, ties.method = 'max')"),
  c("rank(k, ties.method = 'first')", "rank(k, ties.method = 'first')"), c("rank(k, na.last = 'keep')", "rank(k, na.last = 'keep')"), c("rank(k, na.last = 'keep', ties.method = 'dense')", "dense_rank(k)"), c("rank(u)", "rank(u)"),
  c("frollmean(x, 3)", "frollmean(x, 3)"), c("frollsum(k, 2)", "frollsum(k, 2)"), c("frollmean(k, 1)", "frollmean(k, 1)"), c("frollmedian(x, 3)", "zoo::rollapplyr(x, 3, median, fill = NA)"), c("frollmin(x, 2)", "zoo::rollapplyr(x, 2, min, fill = NA)"), c("frollmax(k, 3)", "zoo::rollapplyr(k, 3, max, fill = NA)"),
  c("frollsd(x, 4)", "zoo::rollapplyr(x, 4, sd, fill = NA)"), c("nafill(x, 'locf')", "nafill(x, 'locf')"), c("nafill(k, 'nocb')", "nafill(k, 'nocb')"), c("nafill(u)", "zoo::na.locf(u, na.rm = FALSE)"), c("diff(day)", "c(NA, as.numeric(diff(as.Date(day))))"), c("row()", "seq_along(x)"), c("x == max(x, na.rm = TRUE)", "x == max(x, na.rm = TRUE)"),
  c("ifelse(f, cumsum(k), -1)", "ifelse(f, cumsum(k), -1)"))
text <- function(v) ifelse(is.na(v), "NA", if (is.numeric(v)) sprintf("%.17g", v) else as.character(v))
value <- function(s, df) suppressWarnings(rep_len(eval(parse(text = s)[[1]], c(list(lag = dplyr::lag, frollmean = data.table::frollmean, year = lubridate::year), df)), nrow(df)))
case <- function(p) list(src = unbox(p[1]), values = I(text(value(p[2], df))))
inGroups <- function(p) {
  v <- rep("", n)
  for (g in unique(df$g)) v[df$g == g] <- text(value(p[2], df[df$g == g, ]))
  list(src = unbox(p[1]), values = I(v))
}
cat(toJSON(list(data = as.list(df), rows = c(lapply(same, function(s) case(c(s, s))), lapply(other, case), lapply(window, case)), groups = lapply(window, inGroups)), digits = NA, na = "null"), "\n")
