# The peers of the benchmark that are written in R.
#
#     Rscript peers.R program task n p data answer runs
#
# Each function below is program_task(x, y): it prepares, outside the time
# measured, and returns what is timed; or a list of that and of a function that
# makes the answer of its result. Files are little-endian float64: X by
# rows and then y; the answer's numbers. Prints seconds and version as JSON.

# .lm.fit stops at the coefficients: it is the least that R can do.
R_ols <- function(x, y) {
  a <- cbind(1, x)
  function() .lm.fit(a, y)$coefficients
}

# quantreg's exact method, and its interior-point method for many rows.
quantreg_lad <- function(x, y) {
  a <- cbind(1, x)
  fit <- if (nrow(x) > 5000) quantreg::rq.fit.fnb else quantreg::rq.fit.br
  function() fit(a, y, tau = 0.5)$coefficients
}

R_leverages <- function(x, y) {
  fit <- lm(y ~ x)
  function() hatvalues(fit)
}

# ours.counts
counts <- function(n, p) {
  w <- matrix(0, if (p >= 8) 10000 else 200, n)
  state <- 1
  for (b in seq_len(nrow(w))) {
    i <- integer(n)
    for (k in seq_len(n)) {
      state <- (state * 16807) %% 2147483647
      i[k] <- state %% n + 1
    }
    w[b, ] <- tabulate(i, n)
  }
  w
}

# boot of lm, on the resamples that are given.
boot_bootstrap <- function(x, y) {
  w <- counts(nrow(x), ncol(x))
  data <- data.frame(y, x)
  run <- function() {
    at <- 0
    draw <- function(data, mle) {
      at <<- at + 1
      data$weight <- w[at, ]
      data
    }
    fit <- function(data) if (is.null(data$weight)) coef(lm(y ~ ., data)) else coef(lm(y ~ . - weight, data, weights = weight))
    boot::boot(data, fit, nrow(w), sim = "parametric", ran.gen = draw)$t
  }
  list(run, function(t) c(colMeans(t), apply(t, 2, sd)))
}

# Zellner's g = n and equally probable models: the defaults of ZellnerG.
BMS_enumerate <- function(x, y) {
  data <- data.frame(y, x)
  function() {
    b <- BMS::bms(data, g = "UIP", mprior = "uniform", mcmc = "enumerate", user.int = FALSE)
    BMS::estimates.bma(b, order.by.pip = FALSE)[, "PIP"]
  }
}

# The sampler for so many seconds of the processor, after a tenth as many models to forget the start, by the frequencies of its visits;
# the arguments after the number of runs are the seconds and the seed.
BMS_sampled <- function(x, y) {
  data <- data.frame(y, x)
  seconds <- as.numeric(args[8])
  walk <- function(models) {
    BMS::bms(data, g = "UIP", mprior = "uniform", mcmc = "bd", burn = models / 10, iter = models, user.int = FALSE, nmodel = 10)
  }
  set.seed(as.integer(args[9]))
  function() {
    took <- 0
    models <- 500
    while (took < 0.05 * seconds) {
      models <- 2 * models
      took <- sum(system.time(walk(models))[1:2])
    }
    b <- walk(max(1000, round(0.9 * models * seconds / took)))
    BMS::estimates.bma(b, order.by.pip = FALSE, exact = FALSE)[, "PIP"]
  }
}

leaps_subsets <- function(x, y) {
  function() summary(leaps::regsubsets(x, y, nvmax = ncol(x), method = "exhaustive", really.big = TRUE))$rss
}

R_logistic <- function(x, y) {
  a <- cbind(1, x)
  y <- as.numeric(y > 1)
  function() glm.fit(a, y, family = binomial())$coefficients
}

# glmnet's own columns, as ours: not scaled.
glmnet_logisticpath <- function(x, y) {
  y <- as.numeric(y > 1)
  function() {
    f <- glmnet::glmnet(x, y, family = "binomial", standardize = FALSE, nlambda = 100, lambda.min.ratio = 0.05)
    f$nulldev * (1 - f$dev.ratio)
  }
}

# ours.countsOf
counts_of <- function(y) floor(pmax(0, pmin(8, y)))

R_poisson <- function(x, y) {
  a <- cbind(1, x)
  y <- counts_of(y)
  function() glm.fit(a, y, family = poisson())$coefficients
}

glmnet_poissonpath <- function(x, y) {
  y <- counts_of(y)
  glmnet::glmnet.control(fdev = 0, devmax = 1)
  function() {
    f <- glmnet::glmnet(x, y, family = "poisson", standardize = FALSE, nlambda = 100, lambda.min.ratio = 0.05, thresh = 1e-10)
    f$nulldev * (1 - f$dev.ratio)
  }
}

# ours.Sparse
sparse <- function(x, y) {
  p <- ncol(x)
  noise <- y - 1 - as.numeric(x %*% ((seq_len(p) %% 5 - 2) / 4))
  1 + as.numeric(x[, 1 + (0:19) * (p %/% 20)] %*% rep(c(1, -1), 10)) + noise
}

# All 100 lambdas, however little is left to explain.
hundred <- function() glmnet::glmnet.control(fdev = 0, devmax = 1)

path_ratio <- function(x) if (nrow(x) > ncol(x)) 0.001 else 0.01

# The objectives, and the largest gap.
lasso_answer <- function(x, y) function(f) {
  l <- 2 * nrow(x) * f$lambda
  b <- as.matrix(f$beta)
  y <- y - mean(y)
  r <- y - sweep(x %*% b, 2, colMeans(x) %*% b)
  rss <- colSums(r^2)
  objective <- rss + l * colSums(abs(b))
  most <- l / (2 * apply(abs(crossprod(x, r)), 2, max))
  s <- pmin(most, pmax(-most, as.numeric(crossprod(r, y)) / rss))
  dual <- 2 * s * as.numeric(crossprod(r, y)) - s^2 * rss
  c(objective, max(objective - dual) / sum(y^2))
}

lasso_path <- function(x, y, thresh)
  glmnet::glmnet(x, y, standardize = FALSE, nlambda = 100, lambda.min.ratio = path_ratio(x), thresh = thresh, maxit = 1e7)

# The first of 1e-12, 1e-13 ... at which no gap is above 1e-6.
tight <- function(x, y) {
  thresh <- 1e-12
  while (tail(lasso_answer(x, y)(lasso_path(x, y, thresh)), 1) > 1e-6) thresh <- thresh / 10
  thresh
}

glmnet_lassopath <- function(x, y, thresh = tight(x, y)) {
  hundred()
  y <- sparse(x, y)
  force(thresh) # of this y
  list(function() lasso_path(x, y, thresh), lasso_answer(x, y))
}

glmnet_lassopath_default <- function(x, y) glmnet_lassopath(x, y, thresh = 1e-7)

# With lambda given, all folds have the same, and nothing is interpolated.
glmnet_lassocv <- function(x, y, thresh = tight(x, y)) {
  hundred()
  y <- sparse(x, y)
  fold <- rep(1:10, length.out = nrow(x))
  lambda <- max(abs(crossprod(x, y - mean(y)))) / nrow(x) * 0.01^(0:99 / 99)
  force(thresh)
  function() glmnet::cv.glmnet(x, y, foldid = fold, standardize = FALSE, lambda = lambda, thresh = thresh, maxit = 1e7)$cvm
}

glmnet_lassocv_default <- function(x, y) glmnet_lassocv(x, y, thresh = 1e-7)

# glmnet has lambda in units of y's standard deviation.
glmnet_ridgepath <- function(x, y) {
  hundred()
  y <- sparse(x, y)
  n <- nrow(x)
  l <- n * 10^seq(2, -3, length.out = 100)
  s <- sqrt(mean((y - mean(y))^2))
  list(function() glmnet::glmnet(x, y, alpha = 0, standardize = FALSE, lambda = l * s / n, thresh = 1e-14, maxit = 1e7),
       function(f) {
         b <- as.matrix(f$beta)
         r <- y - mean(y) - sweep(x %*% b, 2, colMeans(x) %*% b)
         c(colSums(r^2) + l * colSums(b^2), 0) # the objective itself is held against ours
       })
}

lmer_criterion <- function(formula, data, control = lme4::lmerControl(calc.derivs = FALSE, check.conv.singular = "ignore"))
  list(function() lme4::lmer(formula, data, control = control), function(f) lme4::REMLcrit(f))

# The exam data stand beside this script.
exam <- function() read.csv(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "exam.csv"))

# lme4's own optimizer leaves 1e-7 of the criterion; this one takes it to 1e-9.
lme4_exam <- function(x, y)
  lmer_criterion(normexam ~ standLRT + (standLRT | school), exam(),
                 lme4::lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5), calc.derivs = FALSE))

lme4_exam_default <- function(x, y) lmer_criterion(normexam ~ standLRT + (standLRT | school), exam())

# ours.groupsTask
lme4_groups <- function(x, y) {
  x <- x[, 1:3]
  n <- nrow(x)
  g <- (seq_len(n) - 1) %% (n %/% 10)
  effect <- function(column) ((g + 1) * (7919 + 104729 * column)) %% 1009 / 630 - 0.8
  y <- y + effect(0)
  for (j in 1:3) y <- y + effect(j) * x[, j]
  lmer_criterion(y ~ X1 + X2 + X3 + (X1 + X2 + X3 | g), data.frame(y, x, g))
}

args <- commandArgs(trailingOnly = TRUE)
n <- as.integer(args[3])
p <- as.integer(args[4])
file <- file(args[5], "rb")
x <- matrix(readBin(file, "double", n * p, endian = "little"), n, p, byrow = TRUE)
y <- readBin(file, "double", n, endian = "little")
close(file)
run <- get(paste(args[1], args[2], sep = "_"))(x, y)
finish <- identity
if (is.list(run)) {
  finish <- run[[2]]
  run <- run[[1]]
}
seconds <- c()
invisible(gc())
try(cat("5", file = "/proc/self/clear_refs"), silent = TRUE) # Linux counts the most memory resident from now on
for (i in seq_len(as.integer(args[7]))) {
  # ours.timed
  start <- proc.time()[["elapsed"]]
  times <- 0
  repeat {
    answer <- run()
    times <- times + 1
    passed <- proc.time()[["elapsed"]] - start
    if (times == 1) first <- passed
    if (first >= 0.02 || passed >= 0.2) break
  }
  seconds <- c(seconds, passed / times)
}
status <- if (file.exists("/proc/self/status")) readLines("/proc/self/status") else ""
peak <- 1024 * as.numeric(gsub("[^0-9]", "", grep("^VmHWM", status, value = TRUE)))
if (length(peak) == 0) peak <- 0
writeBin(as.double(finish(answer)), args[6], endian = "little")
blas <- normalizePath(extSoftVersion()[["BLAS"]])
package <- ""
if (args[1] != "R") package <- paste0(args[1], " ", packageVersion(args[1]), ", ")
cat(sprintf('{"seconds": [%s], "peak": %.0f, "version": "%s%s.%s on %s"}\n',
            paste(sprintf("%.9f", seconds), collapse = ", "), peak,
            package, paste("R", R.version$major), R.version$minor, blas))
