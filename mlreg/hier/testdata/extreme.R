# Mixed models by lme4 whose groups differ by a million standard deviations of the residuals,
# whose slopes vary without an intercept on predictors far from zero, and formulas of lme4 that
# package frames reads: Rscript extreme.R > extreme.json. extreme.py has the
# optima of the first ones to 15 digits.
suppressMessages({library(lme4); library(jsonlite)})
options(contrasts = c("contr.treatment", "contr.poly"))
tight <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e6), calc.derivs = FALSE, check.conv.singular = "ignore")
set.seed(20)
g <- rep(1:10, each = 7)
x <- round(rnorm(70), 3)
noise <- round(rnorm(70), 3)
u <- round(rnorm(10), 3)
v <- round(rnorm(10), 3)
far <- data.frame(g = g, x = x, y = 1 + x + 1e6 * u[g] + noise)
steep <- data.frame(g = g, x = x, y = 1e6 * x + u[g] + noise)
slope6 <- data.frame(g = g, x = 1e6 + x, y = (1 + 1e-3 * u[g]) * x + noise)
slope6$y <- slope6$y + 1e3 * u[g]
slope9 <- data.frame(g = g, x = 1e9 + x, y = slope6$y)
both6 <- data.frame(g = g, x = 1e6 + x, y = 1e6 * u[g] + (1 + v[g]) * (1e6 + x) + noise)
small <- data.frame(g = g, z = x, k = rep(c("u", "v"), 35), y = 1 + x + 2 * u[g] + v[g] * x + noise)
cases <- list()
add <- function(name, data, formula) {
  # lme4 drops a predictor far from zero, or stops: "Downdated VtV is not positive definite".
  f <- tryCatch(suppressMessages(suppressWarnings(lmer(formula, get(data), control = tight))), error = function(e) NULL)
  if (is.null(f) || data %in% c("slope6", "slope9", "both6") && length(fixef(f)) < 2) return(invisible())
  s <- as.data.frame(VarCorr(f))
  s <- s[is.na(s$var2), ]
  cases[[length(cases) + 1]] <<- list(
    name = name, data = data, criterion = REMLcrit(f), beta = unname(fixef(f)), stderr = unname(sqrt(diag(as.matrix(vcov(f))))),
    sigma = sigma(f), sd = s$sdcor[s$grp != "Residual"], names = I(names(fixef(f))))
}
add("far", "far", y ~ x + (1 | g))
add("steep", "steep", y ~ x + (1 | g))
add("slope6", "slope6", y ~ x + (0 + x | g))
add("slope9", "slope9", y ~ x + (0 + x | g))
add("both6", "both6", y ~ x + (x || g))
add("y ~ 0 + z + (1 | g)", "small", y ~ 0 + z + (1 | g))
add("y ~ 0 + k + (1 | g)", "small", y ~ 0 + k + (1 | g))
add("y ~ 0 + z + (z | g)", "small", y ~ 0 + z + (z | g))
add("y ~ poly(z, 2) + (poly(z, 2) || g)", "small", y ~ poly(z, 2) + (poly(z, 2) || g))
add("y ~ poly(z, 2) + k + (1 | g) + (0 + poly(z, 2) | g)", "small", y ~ poly(z, 2) + k + (1 | g) + (0 + poly(z, 2) | g))
# lme4's dot takes the column of the groups, which ours does not.
add("y ~ . + (1 | g)", "small", y ~ z + k + (1 | g))
cat(toJSON(list(data = list(far = far, steep = steep, slope6 = slope6, slope9 = slope9, both6 = both6, small = small), cases = cases),
           digits = I(17), auto_unbox = TRUE, dataframe = "columns"), "\n")
