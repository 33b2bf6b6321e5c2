# Reference for TestConfidenceBand: Rscript plotting/testdata/band.R
# R 4.x, stats::lm and stats::predict on the example of the test.
x <- c(1, 2, 3, 5, 8, 13)
y <- c(2.1, 2.9, 4.2, 5.1, 9.7, 13.3)
new <- data.frame(x = c(1, 7, 13))
print(predict(lm(y ~ x), new, interval = "confidence", level = 0.9), digits = 12)
print(predict(lm(y ~ x - 1), new, interval = "confidence", level = 0.9), digits = 12)
# Prediction limits of the same.
print(predict(lm(y ~ x), new, interval = "prediction", level = 0.9), digits = 12)
print(predict(lm(y ~ x - 1), new, interval = "prediction", level = 0.9), digits = 12)
# TestSlopeLimits: sigma known (z) and estimated (t).
f <- lm(y ~ x)
print(coef(f)[2] + c(-1, 1) * qnorm(0.975) * 0.5 * sqrt(summary(f)$cov.unscaled[2, 2]), digits = 12)
print(confint(f)[2, ], digits = 12)
