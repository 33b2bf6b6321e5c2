# Reference values for paths of generalized linear models, from R's glmnet on glm.csv. Run
# in this directory, after glm.R:
#
#     Rscript glm_path.R
#
# lambda of mlreg is n times glmnet's for alpha = 1; in general lambda alpha = l1/n and
# lambda (1 - alpha) = 2 l2/n, with l1 = share lambda and l2 = (1 - share) lambda. (R 4.2.2,
# glmnet 4.1.)
suppressMessages({library(glmnet); library(jsonlite)})
glmnet.control(fdev = 0, epsnr = 1e-14, mxitnr = 1000)
d <- read.csv("glm.csv")
x <- as.matrix(d[, c("x1", "x2", "b")])
n <- nrow(x)
grid <- c(30, 10, 3, 1)
out <- list()
for (share in c(1, 0.5)) {
  l1 <- share * grid; l2 <- (1 - share) * grid
  lambda <- l1 / n + 2 * l2 / n
  alpha <- (l1 / n / lambda)[1]
  p <- glmnet(x, d$y, family = "poisson", offset = log(d$t), alpha = alpha, lambda = lambda, standardize = FALSE, thresh = 1e-14, maxit = 1e7)
  b <- glmnet(x, cbind(d$m - d$k, d$k), family = "binomial", alpha = alpha, lambda = lambda * n / sum(d$m), standardize = FALSE, thresh = 1e-14, maxit = 1e7)
  # Of a family object glmnet's Newton steps end at a relative change of epsnr in the objective,
  # whatever thresh is; at its default of 1e-6 the slopes have three or four digits.
  gamma <- function(...) {
    f <- glmnet(x, d$g, family = Gamma("log"), alpha = alpha, standardize = FALSE, thresh = 1e-15, maxit = 1e7, ...)
    list(coef = t(as.matrix(coef(f))), deviance = f$nulldev * (1 - f$dev.ratio), null = f$nulldev)
  }
  w <- ifelse(d$w > 0, d$w, 1)
  out[[paste0("gamma", share)]] <- gamma(lambda = lambda)
  out[[paste0("gammaWeights", share)]] <- gamma(lambda = lambda * n / sum(w), weights = w)
  out[[paste0("gammaOffset", share)]] <- gamma(lambda = lambda, offset = log(d$t))
  out[[paste0("poisson", share)]] <- list(coef = t(as.matrix(coef(p))), deviance = deviance(p), null = p$nulldev)
  out[[paste0("binomial", share)]] <- list(coef = t(as.matrix(coef(b))))
}
foldid <- rep_len(1:5, n)
cv <- cv.glmnet(x, d$y, family = "poisson", offset = log(d$t), lambda = grid / n, foldid = foldid, standardize = FALSE, thresh = 1e-14, maxit = 1e7)
out$cv <- list(cvm = cv$cvm, cvsd = cv$cvsd)
cat(toJSON(out, digits = NA, auto_unbox = TRUE), file = "glm_path.json")
