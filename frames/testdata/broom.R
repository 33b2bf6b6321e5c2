# Writes describe.csv, tidy.csv, glance.csv and augment.csv: R's numbers for a
# fit to prostate.csv.
# Run: Rscript broom.R    (needs the package broom; R 4.2.2, broom 1.0.3)
library(broom)
df <- read.csv("prostate.csv")
out <- function(x, file) {
  x <- as.data.frame(x)
  for (j in names(x)) if (is.numeric(x[[j]])) x[[j]] <- sprintf("%.17g", x[[j]])
  write.csv(x, file, row.names = FALSE, quote = which(names(x) %in% c("term", "variable")))
}
numbers <- df[sapply(df, is.numeric)]
out(data.frame(variable = names(numbers), distinct = sapply(numbers, function(x) length(unique(x))), mean = sapply(numbers, mean),
  sd = sapply(numbers, sd), min = sapply(numbers, min), q25 = sapply(numbers, quantile, .25), median = sapply(numbers, median),
  q75 = sapply(numbers, quantile, .75), max = sapply(numbers, max)), "describe.csv")
fit <- lm(lpsa ~ lcavol + poly(age, 2) + svi, df)
out(tidy(fit, conf.int = TRUE, conf.level = .9), "tidy.csv")
out(glance(fit), "glance.csv")
out(data.frame(.fitted = fitted(fit), .resid = residuals(fit), .hat = hatvalues(fit), .cooksd = cooks.distance(fit),
  .std.resid = rstandard(fit)), "augment.csv") # as augment(fit) has them
