# Group lassos of MASS's birthwt by proximal gradient steps with momentum, in a few
# lines of R, until steps are below 1e-13: Rscript grouplasso.R > grouplasso.json
suppressMessages({library(MASS); library(jsonlite)})
d <- birthwt
x <- cbind(poly(d$age, 3), poly(d$lwt, 3), d$race == 2, d$race == 3, d$smoke, d$ptl == 1, d$ptl > 1, d$ht, d$ui)
x <- apply(x, 2, function(v) (v - mean(v)) / sqrt(mean((v - mean(v))^2)))
x <- round(x, 6)
group <- c(1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 5, 6, 7)
w <- rep_len(c(1, 2, 0.5), nrow(x))
bwt <- d$bwt / 1000
# RSS or -log L of two classes, plus l1 sum sqrt(p_g) |b_g| + l2 sum b^2
solve_path <- function(y, l1, l2, w, logistic = FALSE) {
  p <- ncol(x)
  a <- cbind(1, x)
  step <- 1 / ((if (logistic) 0.25 else 2) * max(eigen(crossprod(a * sqrt(w)))$values) + 2 * l2)
  slope <- function(b) {
    eta <- a %*% b
    r <- if (logistic) plogis(eta) - y else 2 * (eta - y)
    drop(crossprod(a, w * r)) + 2 * l2 * c(0, b[-1])
  }
  prox <- function(b) {
    for (g in unique(group)) {
      k <- 1 + which(group == g)
      size <- sqrt(sum(b[k]^2))
      b[k] <- b[k] * max(0, 1 - step * l1 * sqrt(length(k)) / size)
    }
    b
  }
  b <- z <- numeric(p + 1)
  t <- 1
  for (i in 1:500000) {
    new <- prox(z - step * slope(z))
    if (sum((z - new) * (new - b)) > 0) t <- 1 # start anew
    s <- (1 + sqrt(1 + 4 * t^2)) / 2
    z <- new + (t - 1) / s * (new - b)
    moved <- max(abs(new - b))
    b <- new
    t <- s
    if (moved < 1e-13) break
  }
  eta <- drop(a %*% b)
  loss <- if (logistic) sum(w * (log1p(exp(eta)) - y * eta)) else sum(w * (y - eta)^2)
  list(l1 = l1, l2 = l2, coef = b, loss = loss,
       objective = loss + l2 * sum(b[-1]^2) + l1 * sum(sapply(unique(group), function(g) sqrt(sum(group == g)) * sqrt(sum(b[-1][group == g]^2)))))
}
one <- rep(1, nrow(x))
fits <- list(lasso = lapply(c(40, 15, 4), function(l) solve_path(bwt, l, 0, one)),
             net = lapply(c(40, 15, 4), function(l) solve_path(bwt, l, l / 2, one)),
             weighted = lapply(c(40, 15, 4), function(l) solve_path(bwt, l, 0, w)),
             logistic = lapply(c(8, 4, 1), function(l) solve_path(d$low, l, l / 4, one, TRUE)))
cat(toJSON(c(list(x = x, y = bwt, low = d$low, group = group, weights = w), fits), digits = I(15), auto_unbox = TRUE))
