# Writes effects.json: effects, marginal means and average marginal effects for effects_test.go, by R's predict
# and the formulas of emmeans (averages of rows of the reference grid) and margins (averages of derivatives).
# Run: LC_ALL=C Rscript effects.R > effects.json    (needs MASS)
suppressMessages({library(jsonlite); library(MASS)})
level <- .9
breaks <- as.data.frame(lapply(warpbreaks, function(v) if (is.factor(v)) as.character(v) else v))[-c(1, 2, 3, 10, 20, 21, 50), ]
breaks$age <- round(10 + 5 * sin(seq_len(nrow(breaks))), 2)
breaks$breaks[7] <- NA
cars <- mtcars[c("mpg", "wt", "hp", "cyl", "gear")]
births <- birthwt[c("low", "age", "lwt", "race", "smoke")]
births$race <- c("white", "black", "other")[births$race]
births$smoke <- births$smoke == 1

limits <- function(m, new) {
  conf <- predict(m, new, interval = "confidence", level = level, se.fit = TRUE)
  pred <- predict(m, new, interval = "prediction", level = level)
  list(fit = unname(conf$fit[, 1]), se = unname(conf$se.fit), lower = unname(conf$fit[, 2]), upper = unname(conf$fit[, 3]),
    lowernew = unname(pred[, 2]), uppernew = unname(pred[, 3]))
}
common <- function(v) { t <- table(v); names(t)[which.max(t)] }
# The reference grid of emmeans: all combinations of levels, numbers at their means; l is the average row of a level.
means <- function(m, data, factor, others, numbers, link = identity) {
  values <- c(setNames(lapply(c(factor, others), function(f) sort(unique(data[[f]]))), c(factor, others)), lapply(data[numbers], mean))
  grid <- expand.grid(values, stringsAsFactors = FALSE)
  X <- model.matrix(delete.response(terms(m)), grid, xlev = m$xlevels)
  L <- apply(X, 2, function(x) tapply(x, grid[[factor]], mean))
  est <- drop(L %*% coef(m)); se <- sqrt(diag(L %*% vcov(m) %*% t(L)))
  glm <- inherits(m, "glm"); df <- if (glm) Inf else m$df.residual; q <- qt((1 + level) / 2, df)
  slope <- if (glm) dlogis(est) else 1; link <- if (glm) plogis else identity
  pairs <- combn(nrow(L), 2); D <- L[pairs[1, ], , drop = FALSE] - L[pairs[2, ], , drop = FALSE]
  d <- drop(D %*% coef(m)); dse <- sqrt(diag(D %*% vcov(m) %*% t(D)))
  p <- 2 * pt(-abs(d / dse), df)
  list(levels = as.character(sort(unique(data[[factor]]))), mean = unname(link(est)), se = unname(slope * se), lower = unname(link(est - q * se)), upper = unname(link(est + q * se)),
    term = paste(rownames(L)[pairs[1, ]], "-", rownames(L)[pairs[2, ]]), difference = unname(d), dse = unname(dse), p = unname(p.adjust(p, "holm")))
}
ame <- function(m, term, dx, mean.slope = NULL, second = NULL) { # dx: rows of d a / d x
  b <- coef(m); V <- vcov(m); X <- model.matrix(m)
  if (inherits(m, "glm")) {
    eta <- drop(X %*% b); p <- plogis(eta); s <- p * (1 - p); d <- drop(dx %*% b)
    est <- mean(s * d); g <- colMeans(s * dx + (s * (1 - 2 * p) * d) * X); df <- Inf
  } else { est <- mean(dx %*% b); g <- colMeans(dx); df <- m$df.residual }
  se <- sqrt(drop(t(g) %*% V %*% g))
  list(term = term, estimate = est, se = se, p = 2 * pt(-abs(est / se), df), lower = est - qt((1 + level) / 2, df) * se, upper = est + qt((1 + level) / 2, df) * se)
}
difference <- function(m, term, data, column, to, from) {
  at <- function(v) { data[[column]] <- v; model.matrix(delete.response(terms(m)), data, xlev = m$xlevels) }
  A <- at(to); B <- at(from); b <- coef(m); V <- vcov(m)
  if (inherits(m, "glm")) { pa <- plogis(drop(A %*% b)); pb <- plogis(drop(B %*% b)); est <- mean(pa - pb); g <- colMeans(pa * (1 - pa) * A - pb * (1 - pb) * B); df <- Inf }
  else { est <- mean((A - B) %*% b); g <- colMeans(A - B); df <- m$df.residual }
  se <- sqrt(drop(t(g) %*% V %*% g))
  list(term = term, estimate = est, se = se, p = 2 * pt(-abs(est / se), df), lower = est - qt((1 + level) / 2, df) * se, upper = est + qt((1 + level) / 2, df) * se)
}
column <- function(m, values) { X <- 0 * model.matrix(m); for (n in names(values)) X[, n] <- values[[n]]; X }

complete <- breaks[!is.na(breaks$breaks), ]
m1 <- lm(breaks ~ wool * tension + age, breaks)
m2 <- lm(mpg ~ poly(wt, 2) * factor(cyl) + log(hp), cars)
m3 <- glm(low ~ age + lwt + race + smoke, binomial, births, control = list(epsilon = 1e-15, maxit = 50))
m4 <- lm(mpg ~ wt + I(wt^2) + log(hp) + factor(cyl), cars)
wt <- seq(2, 5, length.out = 4)
held <- function(cyl) data.frame(wt = wt, hp = mean(cars$hp), cyl = cyl)
ages <- seq(min(births$age), max(births$age), length.out = 5)
link <- predict(m3, data.frame(age = ages, lwt = mean(births$lwt), race = common(births$race), smoke = as.logical(common(births$smoke))), se.fit = TRUE)
z <- qnorm((1 + level) / 2)
out <- list(level = level, data = list(breaks = as.list(breaks), cars = lapply(cars, unname), births = lapply(births, unname)),
  curve = limits(m2, rbind(held(4), held(6), held(8))),
  partial = unname(predict(m2, data.frame(wt = cars$wt, hp = mean(cars$hp), cyl = 8)) + residuals(m2)),
  wool = limits(m1, data.frame(wool = c("A", "B"), tension = common(complete$tension), age = mean(complete$age))),
  logistic = list(fit = unname(plogis(link$fit)), lower = unname(plogis(link$fit - z * link$se.fit)), upper = unname(plogis(link$fit + z * link$se.fit))),
  tension = means(m1, complete, "tension", "wool", "age"), race = means(m3, births, "race", "smoke", c("age", "lwt")),
  ame = list(
    cars = list(ame(m4, "wt", column(m4, list(wt = 1, "I(wt^2)" = 2 * cars$wt))), ame(m4, "hp", column(m4, list("log(hp)" = 1 / cars$hp))),
      difference(m4, "cyl: 6 - 4", cars, "cyl", 6, 4), difference(m4, "cyl: 8 - 4", cars, "cyl", 8, 4)),
    births = list(ame(m3, "age", column(m3, list(age = 1))), ame(m3, "lwt", column(m3, list(lwt = 1))),
      difference(m3, "race: other - black", births, "race", "other", "black"), difference(m3, "race: white - black", births, "race", "white", "black"),
      difference(m3, "smoke: TRUE - FALSE", births, "smoke", TRUE, FALSE))))
cat(toJSON(out, digits = NA, na = "null", auto_unbox = TRUE), "\n")
