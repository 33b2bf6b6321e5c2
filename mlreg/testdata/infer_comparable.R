# Likelihood-ratio tests by lme4 and lmtest of fits that compare, on the sleep study of
# lme4: Rscript infer_comparable.R > infer_comparable.json
suppressMessages({library(lme4); library(lmtest); library(jsonlite)})
d <- lme4::sleepstudy
d$w <- 1 + (d$Days %% 3)
chisq <- function(a) list(stat = a$Chisq[2], df = a$Df[2], p = a[["Pr(>Chisq)"]][2])
# The smaller of the two mixed models lacks Days; anova refits REML by ML unless told.
m0 <- lmer(Reaction ~ 1 + (1 | Subject), d, REML = FALSE)
m1 <- lmer(Reaction ~ Days + (1 | Subject), d, REML = FALSE)
m2 <- lmer(Reaction ~ Days + (Days | Subject), d, REML = FALSE, control = lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5)))
l0 <- lm(Reaction ~ 1, d, weights = w)
l1 <- lm(Reaction ~ Days, d, weights = w)
g0 <- glm(Reaction ~ 1, Gamma("log"), d, control = list(epsilon = 1e-14, maxit = 100))
g1 <- glm(Reaction ~ Days, Gamma("log"), d, control = list(epsilon = 1e-14, maxit = 100))
cat(toJSON(list(lmer = chisq(anova(m0, m1)), slope = chisq(anova(m1, m2)), lm = chisq(lrtest(l0, l1)), gamma = chisq(lrtest(g0, g1))), auto_unbox = TRUE, digits = 15, pretty = TRUE), "\n")
