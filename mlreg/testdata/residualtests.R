# Durbin-Watson and Breusch-Pagan tests by R's lmtest, and information criteria of
# weighted fits. Run in this directory:
#
#     Rscript residualtests.R
suppressMessages({library(lmtest); library(jsonlite); library(nnet)})
longley <- read.csv("longley.csv")
prostate <- read.csv("prostate.csv")
births <- read.csv("birthwt.csv")
dw <- function(m) c(unname(dwtest(m)$statistic),
                    sapply(c("greater", "less", "two.sided"), function(a) dwtest(m, alternative = a, exact = TRUE, iterations = 200)$p.value))
bp <- function(...) { b <- bptest(...); unname(c(b$statistic, b$parameter, b$p.value)) }
l <- Employed ~ GNP.deflator + GNP + Unemployed + Armed.Forces + Population + Year
p <- lpsa ~ lcavol + lweight + age
origin <- lm(lpsa ~ lcavol + lweight + age - 1, prostate)
w <- prostate$age / 60
q <- sqrt(w)
weighted <- lm(I(q * lpsa) ~ 0 + q + I(q * lcavol) + I(q * lweight) + I(q * age), prostate)
w4 <- rep(c(1, 2, 3, 0), length.out = nrow(births))
w5 <- rep(c(1, 2, 0.5, 3, 0), length.out = nrow(births))
g <- glm(low ~ age + smoke, binomial, births, weights = w4, control = glm.control(epsilon = 1e-14))
gf <- suppressWarnings(glm(low ~ age + smoke, binomial, births, weights = w5, control = glm.control(epsilon = 1e-14)))
f <- lm(lwt ~ age + smoke, births, weights = w5)
m <- multinom(race ~ age + smoke, births, weights = w4, trace = FALSE, reltol = 1e-15, maxit = 1000)
write_json(list(
  dw = list(longley = dw(lm(l, longley)), prostate = dw(lm(p, prostate)), origin = dw(origin), mean = dw(lm(Employed ~ 1, longley))),
  bp = list(prostate = bp(lm(p, prostate)), plain = bp(lm(p, prostate), studentize = FALSE),
            origin = bp(origin, ~ lcavol + lweight + age, data = prostate),
            originplain = bp(origin, ~ lcavol + lweight + age, data = prostate, studentize = FALSE),
            weighted = bp(weighted, ~ lcavol + lweight + age, data = prostate),
            weightedplain = bp(weighted, ~ lcavol + lweight + age, data = prostate, studentize = FALSE)),
  criteria = list(lm = c(AIC(f), BIC(f)), glm = c(AIC(g), BIC(g)), fractional = c(AIC(gf), deviance(gf)), multinom = c(AIC(m), BIC(m)))),
  "residualtests.json", digits = NA, pretty = TRUE)
