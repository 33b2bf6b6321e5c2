# R's side of the comparison.
#
#     Rscript --vanilla peers.R cases.json answers.jsonl
#
# For each case it writes a line {"id", "refused"} or {"id", "values", "warnings"}; a value
# is {"v": numbers}, {"s": texts} or {"e": the message of the error}. A function of the name
# of a kind computes its quantities by ask(name, value).
suppressMessages({ library(glmnet); library(leaps); library(BMS); library(splines); library(MASS); library(jsonlite); library(lmtest); library(car) })
options(warn = 1)
RNGkind("Mersenne-Twister")

# C(a, Sum) is C(a, contr.sum).
Sum <- contr.sum
Helmert <- contr.helmert
Poly <- contr.poly

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
    tables[[file]] <<- read.csv(file, check.names = FALSE, stringsAsFactors = TRUE)
  }
  tables[[file]]
}

# All that a case says, in the global environment, where update() and predict() look.
data <- new <- level <- w <- formula <- start <- NULL
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
  variance_table("drop1", quietly(drop1(m, test = "F")), c("Df" = "df", "Sum of Sq" = "ss", "F value" = "f", "Pr(>F)" = "p"))
  for (type in 2:3) {
    table <- tryCatch(quietly(Anova(m, type = type)), error = function(e) conditionMessage(e))
    name <- paste0("anova", type)
    if (is.character(table)) {
      ask(paste0(name, ".terms"), stop(table))
      next
    }
    table[["Sum Sq"]][table$Df == 0] <- 0 # NaN by car
    variance_table(name, table[rownames(table) != "(Intercept)", ], c("Df" = "df", "Sum Sq" = "ss", "F value" = "f", "Pr(>F)" = "p"))
  }
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
  if (grepl("(bs|ns|poly)[(]", case$formula)) ask("beyond.fit", quietly(as.vector(predict(m, beyond()))))
  ask("lm.lrt", likelihood_ratio(m, function(f) lm(f, weights = model.weights(model.frame(m))), lrtest))
  ask("vif", { v <- vif(m); if (is.matrix(v)) as.vector(t(v[, 1:2])) else v })
  if (is.null(w) || all(w != 0)) # hccm takes rows of weight zero for others
    for (type in c("hc0", "hc1", "hc2", "hc3")) ask(type, sqrt(diag(hccm(m, type = type)))[names(coef(m))])
  ask("bptest", { b <- bptest(m); c(b$statistic, b$parameter, b$p.value) })
  ask("dwtest", dwtest(m)$statistic)
}

# Two rows below and above all numbers, as table.go has them.
beyond <- function() {
  rows <- data[rep(which(complete.cases(data))[1], 2), ]
  for (column in names(rows)) {
    x <- data[[column]][!is.na(data[[column]])]
    if (!is.numeric(x)) next
    least <- min(x)
    half <- (max(x) - least) / 2
    rows[[column]] <- c(if (least > 0) least / 2 else least - half, max(x) + half)
  }
  rows
}

# The model against that without its last term, on the same rows.
likelihood_ratio <- function(m, fit, test) {
  x <- model.matrix(m)
  y <- model.response(model.frame(m))
  term <- attr(x, "assign")
  if (max(term) == 0) stop("no term")
  smaller <- x[, term < max(term), drop = FALSE]
  if (!ncol(smaller)) stop("one term, and no intercept")
  f <- y ~ x + 0
  g <- y ~ smaller + 0
  table <- test(fit(g), fit(f))
  c(table[[if ("Chisq" %in% names(table)) "Chisq" else "Deviance"]][2], table$Df[2], table[2, ncol(table)], use.names = FALSE)
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

# Iterated to the last digits.
to_the_end <- list(epsilon = 1e-14, maxit = 100)

glm_case <- function(case) {
  m <- quietly(fitted_by("glm", family = quote(binomial), control = quote(to_the_end)))
  start <<- coef(m)
  if (m$converged && !anyNA(start)) # standard errors of the estimate, not of the step before it
    m <- quietly(fitted_by("glm", family = quote(binomial), control = quote(to_the_end), start = quote(start)))
  s <- summary(m)
  ask("extreme", max(abs(m$linear.predictors)))
  ask("names", as.character(names(coef(m))))
  ask("nobs", nobs(m))
  ask("design", some_rows(model.matrix(m)))
  ask("glm.coef", coef(m))
  ask("glm.stderr", s$coefficients[match(names(coef(m)), rownames(s$coefficients)), 2])
  ask("glm.confint", as.vector(t(confint.default(m, level = level))))
  ask("glm.deviance", c(deviance(m), m$null.deviance))
  ask("glm.loglik", c(logLik(m), AIC(m), BIC(m)))
  ask("glm.lr", {
    stat <- m$null.deviance - deviance(m)
    df <- m$df.null - m$df.residual
    c(stat, df, pchisq(stat, df, lower.tail = FALSE))
  })
  ask("glm.lrt", likelihood_ratio(m, function(f) glm(f, family = binomial, weights = model.weights(model.frame(m)), control = to_the_end),
    function(small, large) anova(small, large, test = "LRT")))
  ask("glm.fitted", byrow(fitted(m), m))
  ask("glm.devres", byrow(residuals(m, "deviance"), m))
  ask("glm.pearson", byrow(residuals(m, "pearson"), m))
  ask("glm.hat", byrow(hatvalues(m), m))
  ask("glm.link", { p <- predict(m, new); p[!is.na(p)] })
}

step_case <- function(case) {
  full <- quietly(fitted_by("lm"))
  ask("names", as.character(names(coef(full))))
  ask("design", some_rows(model.matrix(full)))
  start <- full
  scope <- list(lower = ~ 1, upper = formula(terms(full)))
  if (case$direction != "backward") {
    response <- formula[[2]]
    formula <<- as.formula(bquote(.(response) ~ 1), env = globalenv())
    start <- quietly(fitted_by("lm"))
  }
  k <- if (isTRUE(case$bic)) log(nobs(full)) else 2
  m <- quietly(step(start, scope, direction = case$direction, k = k, trace = 0))
  ask("step.path", as.character(m$anova$Step[-1]))
  ask("step.terms", sort(as.character(setdiff(names(coef(m))[!is.na(coef(m))], "(Intercept)"))))
  ask("step.aic", AIC(m))
}

# The matrix of a formula without its column of ones, the response and the weights, of
# the complete rows.
matrices <- function() {
  call <- quote(model.frame(formula, data, weights = w))
  if (is.null(w)) call$weights <- NULL
  frame <- eval(call, globalenv())
  x <- model.matrix(terms(frame), frame)
  x <- x[, colnames(x) != "(Intercept)", drop = FALSE]
  weights <- model.weights(frame)
  if (is.null(weights)) weights <- rep(1, nrow(x))
  ask("names", as.character(c(if (attr(terms(frame), "intercept")) "(Intercept)", colnames(x))))
  ask("design", some_rows(x))
  list(x = x, y = model.response(frame), w = weights,
       rows = match(rownames(frame), rownames(data)), terms = terms(frame))
}

subsets_case <- function(case) {
  m <- matrices()
  p <- ncol(m$x)
  found <- regsubsets(m$x, m$y, weights = m$w, nvmax = p, method = "exhaustive", nbest = 1)
  s <- summary(found)
  ask("subsets.rss", s$rss)
  ask("subsets.cp", s$cp)
}

# MASS's if it can, else the closed form.
ridge_case <- function(case) {
  m <- matrices()
  lambda <- case$lambda
  w <- m$w
  mean_of <- function(v) sum(w * v) / sum(w)
  centre <- apply(m$x, 2, mean_of)
  if (isTRUE(case$standardize)) {
    location <- colMeans(m$x) # scaling takes no account of weights
    spread <- sqrt(colMeans(sweep(m$x, 2, location)^2))
    if (any(spread == 0)) stop("a constant column")
  } else spread <- rep(1, ncol(m$x))
  x <- sweep(sweep(m$x, 2, centre), 2, spread, "/")
  y <- m$y - mean_of(m$y)
  d <- svd(sqrt(w) * x)
  slopes <- as.vector(d$v %*% (d$d / (d$d^2 + lambda) * crossprod(d$u, sqrt(w) * y))) / spread
  coef <- c(mean_of(m$y) - sum(centre * slopes), slopes)
  rss <- sum(w * (y - x %*% (slopes * spread))^2)
  dof <- 1 + sum(d$d^2 / (d$d^2 + lambda))
  n <- sum(w > 0)
  if (isTRUE(case$standardize) && is.null(case$weights))
    ask("ridge.coef", as.vector(coef(lm.ridge(formula, data, lambda = lambda))))
  else ask("ridge.coef", coef)
  ask("ridge.rss", rss)
  ask("ridge.dof", dof)
  ask("ridge.gcv", rss / n / (1 - dof / n)^2)
  ask("ridge.predict", {
    q <- lm(formula, data) # for the coding of the rows to predict
    # as predict.lm: a value may be missing in a column that the formula takes out again
    f <- model.frame(delete.response(terms(q)), new, na.action = na.pass, xlev = q$xlevels)
    p <- as.vector(model.matrix(delete.response(terms(q)), f, contrasts.arg = q$contrasts) %*% coef)
    p[!is.na(p)]
  })
}

# glmnet iterated to the last digits.
net <- function(m, case, family, fit = glmnet, ...) {
  factor <- rep(1, ncol(m$x))
  if (isTRUE(case$penaltyfactor)) factor <- rep(1:3, length.out = ncol(m$x))
  fit(m$x, m$y, family = family, alpha = case$alpha, lambda = unlist(case$lambda), standardize = isTRUE(case$standardize),
      weights = m$w, penalty.factor = factor, thresh = 1e-20, maxit = 3e6, ...)
}

net_values <- function(m, f) {
  ask("net.coef", as.vector(as.matrix(coef(f))))
  ask("net.fitted", as.vector(predict(f, m$x, type = "response")))
  ask("net.r2", f$dev.ratio)
}

glmnet_case <- function(case) {
  glmnet.control(fdev = 0, devmax = 1)
  m <- matrices()
  net_values(m, quietly(net(m, case, "gaussian")))
}

logisticnet_case <- function(case) {
  glmnet.control(fdev = 0, devmax = 1)
  m <- matrices()
  m$y <- as.numeric(m$y) - min(as.numeric(m$y))
  net_values(m, quietly(net(m, case, "binomial")))
}

cv_case <- function(case) {
  glmnet.control(fdev = 0, devmax = 1)
  m <- matrices()
  fold <- unlist(case$folds)[m$rows] + 1
  cv <- quietly(net(m, case, "gaussian", cv.glmnet, foldid = fold, grouped = TRUE))
  ask("cv.mean", cv$cvm)
  ask("cv.stderr", cv$cvsd)
  ask("cv.choice", c(match(cv$lambda.min, cv$lambda), match(cv$lambda.1se, cv$lambda)))
}

bms_case <- function(case) {
  m <- matrices()
  g <- if (is.null(case$variance)) "UIP" else case$variance
  b <- quietly(bms(cbind(m$y, m$x), g = g, mprior = case$prior, mprior.size = case$size, mcmc = "enumerate", user.int = FALSE))
  table <- coef(b, order.by.pip = FALSE)
  ask("bms.pip", table[, "PIP"])
  ask("bms.mean", table[, "Post Mean"])
  ask("bms.sd", table[, "Post SD"])
}

# The posterior in closed form: Gaussian slopes of variance tau2 (times the noise variance,
# if that is not known) and a flat intercept.
bayes_case <- function(case) {
  m <- matrices()
  w <- m$w
  keep <- w > 0
  intercept <- attr(m$terms, "intercept")
  a <- cbind(if (intercept) 1, m$x)[keep, , drop = FALSE]
  y <- m$y[keep]
  w <- w[keep]
  n <- length(y) - intercept
  known <- !is.null(case$noise)
  s2 <- if (known) case$noise else 1
  precision <- diag(c(if (intercept) 0, rep(s2 / case$variance, ncol(m$x))), ncol(a))
  if (!known) precision <- diag(c(if (intercept) 0, rep(1 / case$variance, ncol(m$x))), ncol(a))
  h <- crossprod(sqrt(w) * a) + precision
  unit <- 1 / sqrt(diag(h))
  r <- chol(h * outer(unit, unit))
  inverse <- chol2inv(r) * outer(unit, unit)
  mean <- as.vector(inverse %*% crossprod(a, w * y))
  mean <- mean + as.vector(inverse %*% (crossprod(a, w * (y - a %*% mean)) - precision %*% mean))
  q <- sum(w * (y - a %*% mean)^2) + sum(mean * (precision %*% mean))
  # log|I + X V0 X'| + log W, from the determinants of both precisions
  logdet <- 2 * sum(log(diag(r))) - 2 * sum(log(unit)) - sum(log(diag(precision)[diag(precision) > 0]))
  half <- sum(log(w)) / 2 - logdet / 2
  shape <- if (is.null(case$shape)) 0 else case$shape
  scale <- if (is.null(case$scale)) 0 else case$scale
  if (known) {
    evidence <- -n / 2 * log(2 * pi * s2) - q / (2 * s2) + half
    spread <- s2
    quantile <- qnorm((1 + level) / 2)
    noise <- s2
  } else {
    an <- shape + n / 2
    bn <- scale + q / 2
    evidence <- -n / 2 * log(2 * pi) + lgamma(an) - an * log(bn) + half
    if (shape > 0) evidence <- evidence - lgamma(shape) + shape * log(scale)
    spread <- bn / an
    quantile <- qt((1 + level) / 2, 2 * an)
    noise <- spread
  }
  sd <- sqrt(spread * diag(inverse))
  ask("bayes.mean", mean)
  ask("bayes.sd", if (known) sd else if (an > 1) sd * sqrt(an / (an - 1)) else rep(NaN, length(sd)))
  ask("bayes.evidence", evidence)
  ask("bayes.lower", mean - quantile * sd)
  ask("bayes.upper", mean + quantile * sd)
  ask("bayes.predict", {
    q <- lm(formula, data)
    f <- model.frame(delete.response(terms(q)), new, xlev = q$xlevels)
    b <- model.matrix(delete.response(terms(q)), f, contrasts.arg = q$contrasts)
    fit <- as.vector(b %*% mean)
    var <- rowSums((b %*% inverse) * b) * spread
    as.vector(rbind(fit, fit - quantile * sqrt(var), fit + quantile * sqrt(var),
                    fit - quantile * sqrt(var + noise), fit + quantile * sqrt(var + noise)))
  })
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
