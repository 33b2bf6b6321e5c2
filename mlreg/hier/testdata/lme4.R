# Mixed models by lme4, and balanced ones by nlme, with the data that they are of:
# Rscript lme4.R > lme4.json. The exam data are those of ../../../datasets.
suppressMessages({library(lme4); library(nlme); library(jsonlite)})
tight <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5), calc.derivs = FALSE,
                     check.conv.singular = "ignore", check.nobs.vs.nRE = "ignore", check.nobs.vs.nlev = "ignore")
exam <- read.csv("../../../datasets/data/exam.csv")
sleep <- lme4::sleepstudy
set.seed(20)
nested <- expand.grid(row = 1:4, b = 1:3, a = 1:12)
nested <- nested[runif(nrow(nested)) < 0.9, ]
nested$x <- round(rnorm(nrow(nested)), 3)
nested$w <- round(runif(nrow(nested), 0.5, 2), 2)
nested$y <- round(5 + 2 * nested$x + rnorm(12)[nested$a] + 0.7 * rnorm(36)[(nested$a - 1) * 3 + nested$b] + rnorm(nrow(nested)), 3)
flat <- data.frame(g = rep(1:8, each = 6), x = round(rnorm(48, 10), 3))
flat$y <- round(1 + 0.5 * flat$x + rnorm(48), 3)
three <- data.frame(g = rep(1:30, times = rep(c(3, 5, 8, 12, 20), 6)))
for (v in c("x1", "x2", "x3")) three[[v]] <- round(rnorm(nrow(three), 2), 3)
u <- matrix(rnorm(120), 30) %*% chol(matrix(c(1, .3, 0, .2, .3, .5, .1, 0, 0, .1, .8, 0, .2, 0, 0, .4), 4))
three$y <- round(1 + three$x1 - three$x2 + u[three$g, 1] + rowSums(u[three$g, 2:4] * three[, c("x1", "x2", "x3")]) + rnorm(nrow(three)), 3)
# Parts of the variance: z'Psi z of every row by the factors that lmer keeps, and x'b*.
parts <- function(f) {
  w <- weights(f)
  zl <- as.matrix(getME(f, "Lambdat") %*% getME(f, "Zt"))
  term <- rep(seq_along(f@cnms), diff(f@Gp))
  v <- sigma(f)^2 * sapply(seq_along(f@cnms), function(k) weighted.mean(colSums(zl[term == k, , drop = FALSE]^2), w))
  level <- names(f@flist)[attr(f@flist, "assign")]
  v <- tapply(v, factor(level, unique(level)), sum)
  xb <- predict(f, re.form = NA)
  explained <- weighted.mean((xb - weighted.mean(xb, w))^2, w)
  total <- explained + sum(v) + sigma(f)^2
  list(iccGroup = I(names(v)), icc = I(unname(c(v)) / (sum(v) + sigma(f)^2)), marginal = explained / total, conditional = (explained + sum(v)) / total)
}
cases <- list()
add <- function(name, data, formula, reml, weights = NULL) {
  d <- get(data)
  f <- if (is.null(weights)) lmer(formula, d, REML = reml, control = tight)
       else { d$w_ <- d[[weights]]; lmer(formula, d, REML = reml, weights = w_, control = tight) }
  v <- as.data.frame(VarCorr(f))
  cases[[length(cases) + 1]] <<- c(parts(f), list(
    name = name, data = data, reml = reml, criterion = if (reml) REMLcrit(f) else -2 * as.numeric(logLik(f)),
    beta = unname(fixef(f)), stderr = unname(sqrt(diag(as.matrix(vcov(f))))), sigma = sigma(f),
    group = v$grp, var1 = ifelse(is.na(v$var1), "", v$var1), var2 = ifelse(is.na(v$var2), "", v$var2), vcov = v$vcov,
    coef = unname(as.matrix(coef(f)[[length(coef(f))]])), parameters = attr(logLik(f), "df"),
    fitted = unname(fitted(f))[1:20]))
  invisible(f)
}
# Likelihood ratios of a variance, and P by the mixture of chi-squared distributions.
tests <- list()
test <- function(case, level, term, with, without, covariances) {
  stat <- if (isREML(with)) REMLcrit(without) - REMLcrit(with) else 2 * as.numeric(logLik(with) - logLik(without))
  upper <- function(df) pchisq(stat, df, lower.tail = FALSE)
  tests[[length(tests) + 1]] <<- list(case = case, level = level, term = term, stat = stat, df = covariances,
                                      p = (upper(covariances) + upper(covariances + 1)) / 2, naive = upper(covariances + 1))
}
e <- add("exam slope", "exam", normexam ~ standLRT + (standLRT | school), TRUE)
add("exam slope ML", "exam", normexam ~ standLRT + (standLRT | school), FALSE)
e1 <- add("exam intercept", "exam", normexam ~ standLRT + (1 | school), TRUE)
ei <- add("exam independent", "exam", normexam ~ standLRT + (standLRT || school), TRUE)
s <- add("sleep", "sleep", Reaction ~ Days + (Days | Subject), TRUE)
ml <- add("sleep ML", "sleep", Reaction ~ Days + (Days | Subject), FALSE)
add("sleep independent", "sleep", Reaction ~ Days + (Days || Subject), FALSE)
n0 <- add("sleep intercept ML", "sleep", Reaction ~ Days + (1 | Subject), FALSE)
n1 <- add("nested", "nested", y ~ x + (1 | a/b), TRUE)
add("nested weights", "nested", y ~ x + (1 | a/b), FALSE, "w")
ns <- add("nested slope", "nested", y ~ x + (x | a) + (1 | a:b), TRUE)
add("flat", "flat", y ~ x + (1 | g), TRUE)
add("flat slope", "flat", y ~ x + (x | g), FALSE)
four <- add("four", "three", y ~ x1 + x2 + x3 + (x1 + x2 + x3 | g), TRUE)
add("about zero", "three", y ~ x1 + x2 + (0 + x3 | g), TRUE)
add("no intercept", "three", y ~ 0 + x1 + x2 + x3 + (0 + x1 | g), TRUE)
test("exam independent", "school", "standLRT", ei, e1, 0)
test("exam slope", "school", "standLRT", e, e1, 1)
test("exam slope", "school", "(Intercept)", e, lmer(normexam ~ standLRT + (0 + standLRT | school), exam, control = tight), 1)
test("sleep ML", "g", "Days", ml, n0, 1)
test("nested slope", "a", "x", ns, n1, 1)
test("nested", "a/b", "(Intercept)", n1, lmer(y ~ x + (1 | a), nested, control = tight), 0)
test("nested", "a", "(Intercept)", n1, lmer(y ~ x + (1 | a:b), nested, control = tight), 0)
test("four", "g", "x3", four, lmer(y ~ x1 + x2 + x3 + (x1 + x2 | g), three, control = tight), 3)
# nlme, the same model by another program.
l <- lme(Reaction ~ Days, sleep, random = ~ Days | Subject, method = "REML",
         control = lmeControl(msTol = 1e-12, tolerance = 1e-12, opt = "optim", optimMethod = "BFGS", reltol = 1e-14))
prof <- suppressWarnings(confint(profile(ml, signames = FALSE, devtol = 1e-9), level = 0.95))
prof0 <- suppressWarnings(confint(profile(n0, signames = FALSE, devtol = 1e-9), level = 0.95))
cat(toJSON(list(
  data = list(sleep = data.frame(g = as.integer(as.character(sleep$Subject)), y = sleep$Reaction, Days = sleep$Days),
              nested = nested[, c("a", "b", "x", "w", "y")], flat = flat, three = three),
  cases = cases, tests = tests, nlme = list(logLik = as.numeric(logLik(l)), beta = unname(fixef(l)), sigma = l$sigma),
  profile = list(names = rownames(prof), lower = unname(prof[, 1]), upper = unname(prof[, 2])),
  profile0 = list(names = rownames(prof0), lower = unname(prof0[, 1]), upper = unname(prof0[, 2]))
), digits = I(15), auto_unbox = TRUE, dataframe = "columns"), "\n")
