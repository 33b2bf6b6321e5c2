# The peers of the benchmark that are written in R.
#
#     Rscript peers.R program task n p data answer runs
#
# Each function below is program_task(x, y): it prepares, outside the time
# measured, and returns what is timed. Files are little-endian float64: X by
# rows and then y; the answer's numbers. Prints seconds and version as JSON.

# .lm.fit stops at the coefficients: it is the least that R can do.
R_ols <- function(x, y) {
  a <- cbind(1, x)
  function() .lm.fit(a, y)$coefficients
}

R_leverages <- function(x, y) {
  fit <- lm(y ~ x)
  function() hatvalues(fit)
}

# Zellner's g = n and equally probable models: the defaults of ZellnerG.
BMS_enumerate <- function(x, y) {
  data <- data.frame(y, x)
  function() {
    b <- BMS::bms(data, g = "UIP", mprior = "uniform", mcmc = "enumerate", user.int = FALSE)
    BMS::estimates.bma(b, order.by.pip = FALSE)[, "PIP"]
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

args <- commandArgs(trailingOnly = TRUE)
n <- as.integer(args[3])
p <- as.integer(args[4])
file <- file(args[5], "rb")
x <- matrix(readBin(file, "double", n * p, endian = "little"), n, p, byrow = TRUE)
y <- readBin(file, "double", n, endian = "little")
close(file)
run <- get(paste(args[1], args[2], sep = "_"))(x, y)
seconds <- c()
for (i in seq_len(as.integer(args[7]))) {
  start <- proc.time()[["elapsed"]]
  answer <- run()
  seconds <- c(seconds, proc.time()[["elapsed"]] - start)
}
writeBin(as.double(answer), args[6], endian = "little")
blas <- normalizePath(extSoftVersion()[["BLAS"]])
package <- ""
if (args[1] != "R") package <- paste0(args[1], " ", packageVersion(args[1]), ", ")
cat(sprintf('{"seconds": [%s], "version": "%s%s.%s on %s"}\n',
            paste(sprintf("%.6f", seconds), collapse = ", "),
            package, paste("R", R.version$major), R.version$minor, blas))
