# R's side of the comparison.
#
#     Rscript --vanilla peers.R cases.json answers.jsonl
#
# For each case it writes a line {"id", "refused"} or {"id", "values", "warnings"}; a value
# is {"v": numbers}, {"s": texts} or {"e": the message of the error}. A function of the name
# of a kind computes its quantities by ask(name, value).
suppressMessages({ library(splines); library(MASS); library(jsonlite); library(lmtest); library(car) })
options(stringsAsFactors = TRUE, warn = 1)
RNGkind("Mersenne-Twister")

# JSON of numbers to 17 digits.
number <- function(x) {
  x <- as.double(x)
  out <- sprintf("%.17g", x)
  out[is.na(x)] <- "null"
  out[is.infinite(x)] <- ifelse(x[is.infinite(x)] > 0, '"Inf"', '"-Inf"')
  out
}
string <- function(x) vapply(x, function(s) as.character(toJSON(s, auto_unbox = TRUE)), "", USE.NAMES = FALSE)
array <- function(x) paste0("[", paste(x, collapse = ","), "]")
encode <- function(v) {
  if (inherits(v, "refusal")) return(paste0('{"e":', string(unclass(v)), "}"))
  if (is.character(v)) return(paste0('{"s":', array(string(v)), "}"))
  paste0('{"v":', array(number(v)), "}")
}

# Warnings are kept by case, an error by quantity.
values <- list()
warned <- character()
quietly <- function(expr) withCallingHandlers(expr, warning = function(w) {
  warned <<- unique(c(warned, conditionMessage(w)))
  invokeRestart("muffleWarning")
})
ask <- function(name, value) {
  value <- tryCatch(quietly(value), error = function(e) structure(conditionMessage(e), class = "refusal"))
  values[[name]] <<- encode(value)
}

tables <- list()
read <- function(file) {
  if (is.null(tables[[file]])) {
    if (length(tables) > 20) tables <<- list()
    tables[[file]] <<- read.csv(file, check.names = FALSE)
  }
  tables[[file]]
}

# All that a case says, in the global environment, where update() and predict() look.
data <- new <- level <- w <- formula <- NULL
setup <- function(case) {
  data <<- read(case$file)
  new <<- read(case$newfile)
  level <<- case$level
  w <<- NULL
  if (!is.null(case$weights)) {
    w <<- data[[case$weights]]
    data[[case$weights]] <<- NULL # a dot does not stand for it
  }
  formula <<- as.formula(case$formula, env = globalenv())
}

# The fit, with its arguments written out in its call.
fitted_by <- function(fit, ...) {
  call <- as.call(c(list(as.name(fit), formula), list(...), list(data = quote(data))))
  if (!is.null(w)) call$weights <- quote(w)
  eval(call, globalenv())
}

# Values of rows, in the order of the rows of the fit; those of weight zero are left out.
byrow <- function(v, m) {
  keep <- rownames(model.frame(m))
  if (!is.null(weights(m))) keep <- keep[weights(m) != 0]
  if (is.matrix(v)) as.vector(t(v[keep, , drop = FALSE])) else v[keep]
}

# Twenty rows of a matrix at most, from its beginning to its end.
some_rows <- function(x) {
  x <- x[unique(floor(seq(1, nrow(x), length.out = min(20, nrow(x))))), colnames(x) != "(Intercept)", drop = FALSE]
  as.vector(t(x))
}

# The columns of a table of analysis of variance, by term.
variance_table <- function(name, table, columns) {
  table <- table[!rownames(table) %in% c("<none>", "Residuals"), , drop = FALSE]
  if (!nrow(table)) return()
  ask(paste0(name, ".terms"), rownames(table))
  for (column in names(columns)) ask(paste0(name, ".", columns[[column]]), table[[column]])
}

lm_case <- function(case) {
  m <- quietly(fitted_by("lm"))
  s <- quietly(summary(m))
  ask("names", as.character(names(coef(m))))
  ask("nobs", nobs(m))
  ask("design", some_rows(model.matrix(m)))
  ask("coef", coef(m))
  table <- s$coefficients[match(names(coef(m)), rownames(s$coefficients)), , drop = FALSE]
  ask("coef.stderr", table[, 2])
  ask("coef.t", table[, 3])
  ask("coef.p", table[, 4])
  ask("rss", deviance(m))
  ask("df", c(m$rank, m$df.residual))
  ask("sigma", s$sigma)
  if (m$rank > attr(terms(m), "intercept")) {
    ask("r2", c(s$r.squared, s$adj.r.squared))
    ask("f", s$fstatistic)
    ask("f.p", pf(s$fstatistic[1], s$fstatistic[2], s$fstatistic[3], lower.tail = FALSE))
  }
  ask("loglik", c(logLik(m), AIC(m), BIC(m)))
  ask("confint", as.vector(t(confint(m, level = level))))
  ask("vcov", { v <- vcov(m, complete = TRUE); v[row(v) <= col(v)] })
  variance_table("anova", quietly(anova(m)), c("Df" = "df", "Sum Sq" = "ss", "F value" = "f", "Pr(>F)" = "p"))
  variance_table("drop1", quietly(drop1(m, test = "F")), c("Df" = "df", "Sum of Sq" = "ss", "AIC" = "aic", "F value" = "f", "Pr(>F)" = "p"))
  ask("fitted", byrow(fitted(m), m))
  ask("residuals", byrow(residuals(m), m))
  ask("rstandard", byrow(rstandard(m), m))
  ask("rstudent", byrow(rstudent(m), m))
  ask("hat", byrow(hatvalues(m), m))
  ask("cooks", byrow(cooks.distance(m), m))
  ask("dffits", byrow(dffits(m), m))
  ask("covratio", byrow(covratio(m), m))
  ask("dfbetas", byrow(dfbetas(m), m))
  predicted("predict", m)
  ask("vif", { v <- vif(m); if (is.matrix(v)) as.vector(t(v[, 1:2])) else v })
  if (is.null(w) || all(w != 0)) # hccm takes rows of weight zero for others
    for (type in c("hc0", "hc1", "hc2", "hc3")) ask(type, sqrt(diag(hccm(m, type = type)))[names(coef(m))])
  ask("bptest", { b <- bptest(m); c(b$statistic, b$parameter, b$p.value) })
  ask("dwtest", dwtest(m)$statistic)
}

# Predictions of the rows that have no missing value.
predicted <- function(name, m) {
  one <- function(column, ...) {
    p <- as.data.frame(predict(m, new, level = level, ...))
    p[complete.cases(p), column]
  }
  ask(paste0(name, ".fit"), one(1))
  ask(paste0(name, ".conf"), as.vector(t(one(2:3, interval = "confidence"))))
  ask(paste0(name, ".pred"), as.vector(t(one(2:3, interval = "prediction"))))
}

args <- commandArgs(trailingOnly = TRUE)
cases <- fromJSON(args[1], simplifyDataFrame = FALSE, simplifyMatrix = FALSE)
out <- file(args[2], "w")
for (case in cases) {
  values <- list()
  warned <- character()
  refused <- tryCatch({
    setTimeLimit(elapsed = 30)
    setup(case)
    get(paste0(case$kind, "_case"))(case)
    NULL
  }, error = function(e) conditionMessage(e))
  setTimeLimit()
  line <- paste0('{"id":', string(case$id), ',"warnings":', array(string(warned)))
  if (is.null(refused)) {
    line <- paste0(line, ',"values":{', paste0(string(names(values)), ":", unlist(values), collapse = ","), "}")
  } else line <- paste0(line, ',"refused":', string(refused))
  writeLines(paste0(line, "}"), out)
  flush(out)
}
close(out)
