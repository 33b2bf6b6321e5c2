# cv.glmnet on birthwt.csv: Rscript logisticcv.R > logisticcv.json (R 4.2.2, glmnet 4.1)
suppressMessages({library(glmnet); library(jsonlite)})
d <- read.csv("birthwt.csv")
x <- as.matrix(d[, c("age", "lwt", "smoke", "ptl", "ht", "ui")])
n <- nrow(x)
x <- sweep(x, 2, c(5, 30, 0.5, 0.5, 0.25, 0.35), "/")
foldid <- rep_len(1:5, n)
grid <- 18 * 0.7^(0:9) # lambda of mlreg; glmnet's is per observation
out <- list()
for (alpha in c(1, 0.5)) for (measure in c("deviance", "class")) {
  # l1 = n lambda alpha, l2 = n lambda (1-alpha)/2
  cv <- cv.glmnet(x, d$low, family = "binomial", alpha = alpha, lambda = grid / n, foldid = foldid,
                  type.measure = measure, standardize = FALSE, thresh = 1e-15, maxit = 1e7, grouped = TRUE)
  out[[paste0(measure, alpha)]] <- list(cvm = cv$cvm, cvsd = cv$cvsd, min = cv$lambda.min * n, one = cv$lambda.1se * n)
}
# The area under the ROC curve. Scores of the two classes are not tied where a slope is
# not zero: cv.glmnet orders ties at random.
d <- read.csv("prostate.csv")
x <- scale(as.matrix(d[, c("lcavol", "lweight", "age", "lpsa")]), center = FALSE, scale = c(1, 0.5, 7, 1))
n <- nrow(x)
for (w in c("", "weighted")) {
  v <- if (w == "") rep(1, n) else rep_len(1:3, n)
  cv <- cv.glmnet(x, d$svi, family = "binomial", weights = v, lambda = 6 * 0.6^(0:9) / sum(v), foldid = rep_len(1:5, n),
                  type.measure = "auc", standardize = FALSE, thresh = 1e-15, maxit = 1e7)
  out[[paste0("auc", w)]] <- list(cvm = cv$cvm, cvsd = cv$cvsd, min = cv$lambda.min * sum(v), one = cv$lambda.1se * sum(v))
}
cat(toJSON(out, digits = 14, pretty = TRUE, auto_unbox = TRUE))
