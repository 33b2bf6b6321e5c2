# How close R comes on columns far from zero: glm, and multinom of nnet, which gets
# centred columns since it stops early on others. Run in this directory, after
# logistic.R:
#
#     Rscript logistic_shifted.R
suppressMessages(library(nnet))
library(jsonlite)
d <- read.csv("birthwt.csv")
f <- glm(low ~ I(age + 1e6) + I(lwt + 1e6) + smoke, binomial, d, control = glm.control(epsilon = 1e-15, maxit = 100))
f <- glm(low ~ I(age + 1e6) + I(lwt + 1e6) + smoke, binomial, d, start = coef(f), control = glm.control(epsilon = 1e-15, maxit = 100))
m <- multinom(factor(race) ~ I(age - 23) + I(lwt - 130) + smoke, d, trace = FALSE, reltol = 1e-14, abstol = 1e-14, maxit = 1000)
slopes <- coef(m)[, -1]
write_json(list(
  coef = unname(coef(f)), stderr = unname(sqrt(diag(vcov(f)))), deviance = deviance(f),
  multinom = list(slopes = unname(slopes), stderr = unname(summary(m)$standard.errors[, -1]), deviance = deviance(m))),
  "logistic_shifted_r.json", digits = NA, auto_unbox = TRUE)
