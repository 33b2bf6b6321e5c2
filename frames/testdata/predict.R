# Writes predict.json: R's predictions of new rows, some with missing values, for predict_test.go.
# Run: LC_ALL=C Rscript predict.R > predict.json
suppressMessages({library(jsonlite); library(splines)})
train <- mtcars[c("mpg", "wt", "hp", "qsec", "am", "cyl")]
train$cyl <- paste0("c", train$cyl)
train$w <- rep(c(1, 2, .5, 3), 8)
train$hp[c(4, 20)] <- NA
new <- data.frame(wt = c(2.5, 3, NA, 3.5, 5.3), hp = c(90, NA, 150, 200, 300), qsec = c(17, 18, 19, NA, 15),
  cyl = c("c4", "c6", "c8", "c8", NA), w = c(1, 2, 4, .5, 2))
level <- .9
se <- function(m, x, v) sqrt(rowSums((x %*% v) * x))
linear <- function(formula, weighted = FALSE) {
  m <- if (weighted) lm(formula, train, weights = w) else lm(formula, train)
  conf <- predict(m, new, interval = "confidence", level = level, se.fit = TRUE)
  pred <- predict(m, new, interval = "prediction", level = level, weights = if (weighted) new$w else 1)
  # MacKinnon and White's HC3, with R's model.matrix of the new rows
  X <- model.matrix(m); r <- residuals(m); w <- if (weighted) weights(m) else rep(1, length(r))
  r <- r[rownames(X)]; w <- rep_len(w, nrow(X))
  if (weighted) w <- model.weights(model.frame(m))
  G <- solve(t(X) %*% (w * X)); h <- w * rowSums((X %*% G) * X)
  V <- G %*% (t(X) %*% (w^2 * r^2 / (1 - h)^2 * X)) %*% G
  t0 <- delete.response(terms(m)); f <- model.frame(t0, new, na.action = na.pass, xlev = m$xlevels)
  N <- model.matrix(t0, f)
  list(formula = paste(deparse(formula), collapse = ""), weighted = weighted, fit = unname(conf$fit[, 1]), se = unname(conf$se.fit),
    confidence = unname(conf$fit[, 2:3]), prediction = unname(pred[, 2:3]), hc3 = unname(se(m, N, V)), df = m$df.residual)
}
logistic <- function(formula) {
  m <- glm(formula, binomial, train, control = list(epsilon = 1e-15, maxit = 50))
  response <- predict(m, new, type = "response", se.fit = TRUE)
  link <- predict(m, new, type = "link", se.fit = TRUE)
  z <- qnorm((1 + level) / 2)
  list(formula = paste(deparse(formula), collapse = ""), fit = unname(response$fit), se = unname(response$se.fit),
    confidence = unname(cbind(plogis(link$fit - z * link$se.fit), plogis(link$fit + z * link$se.fit))))
}
columns <- function(d) lapply(d, unname)
cat(toJSON(list(train = columns(train), new = columns(new), level = level,
  linear = list(linear(mpg ~ poly(wt, 2) + cyl), linear(mpg ~ ns(hp, 3) + scale(qsec)), linear(log(mpg) ~ wt * cyl),
    linear(mpg ~ log(hp) + wt, TRUE), linear(mpg ~ cyl * scale(wt) + qsec, TRUE), linear(mpg ~ bs(qsec, 4))),
  logistic = list(logistic(am ~ wt), logistic(am ~ ns(qsec, 2) + log(hp)))), digits = NA, na = "null", auto_unbox = TRUE), "\n")
