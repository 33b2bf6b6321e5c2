# What R's sandwich and lmtest take by default where mlreg takes something else, of glm.csv:
# the type of vcovCL, which is "HC1" of lm and "HC0" of glm, and the second regression of
# bptest of a model without intercept. Run in this directory:
#
#     Rscript conventions_tests.R
#
# (R 4.2.2, sandwich 3.0-2, lmtest 0.9-40.)
suppressMessages({library(sandwich); library(lmtest); library(jsonlite)})
d <- read.csv("glm.csv")
g <- glm(y ~ x1 + x2 + b, poisson, d, control = glm.control(epsilon = 1e-15, maxit = 200))
l <- lm(g ~ x1 + x2, d)
o <- lm(g ~ x1 + x2 - 1, d)
one <- lm(g ~ x2 - 1, d)
se <- function(v) unname(sqrt(diag(v)))
bp <- function(b) unname(c(b$statistic, b$parameter, b$p.value))
write_json(list(
  glm = se(vcovCL(g, d$cl)), glmHC1 = se(vcovCL(g, d$cl, type = "HC1")), lm = se(vcovCL(l, d$cl)),
  origin = bp(bptest(o)), originTerms = bp(bptest(o, ~ x1 + x2, data = d)),
  single = tryCatch(bptest(one)$method, error = conditionMessage)),
  "conventions_tests.json", digits = NA, auto_unbox = TRUE)
