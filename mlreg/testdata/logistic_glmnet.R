# Reference values for penalised logistic regression, from R's glmnet. Run in
# this directory, after logistic.R:
#
#     Rscript logistic_glmnet.R
#
# glmnet minimises loss/n + lambda (alpha |b|_1 + (1 - alpha)/2 |b|^2); with l1
# and l2 as here, lambda alpha = l1/n and lambda (1 - alpha) = 2 l2/n.
suppressMessages(library(glmnet))
d <- read.csv("birthwt.csv")
x <- scale(as.matrix(d[, c("age", "lwt", "smoke", "ptl", "ht", "ui")]))
x <- x * sqrt(nrow(x) / (nrow(x) - 1)) # ddof = 0
n <- nrow(x)
glmnet.control(fdev = 0, epsnr = 1e-14, mxitnr = 1000)
fit <- function(l1, l2) {
  lambda <- l1 / n + 2 * l2 / n
  f <- glmnet(x, d$low, family = "binomial", standardize = FALSE, alpha = l1 / n / lambda,
              lambda = lambda * c(8, 4, 2, 1), thresh = 1e-22, maxit = 1e7)
  as.vector(coef(f)[, 4])
}
show <- function(x) paste0("[", paste(sprintf("%.17g", x), collapse = ", "), "]")
l1 <- c(12, 5, 1, 6, 2)
l2 <- c(0, 0, 0, 2, 8)
cat(sprintf("[%s]\n", paste(mapply(function(a, b) sprintf("{\"l1\": %g, \"l2\": %g, \"coef\": %s}", a, b, show(fit(a, b))), l1, l2),
                            collapse = ",\n")), file = "logistic_glmnet.json")
