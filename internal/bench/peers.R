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
cat(sprintf('{"seconds": [%s], "version": "%s.%s on %s"}\n',
            paste(sprintf("%.6f", seconds), collapse = ", "),
            paste("R", R.version$major), R.version$minor, blas))
