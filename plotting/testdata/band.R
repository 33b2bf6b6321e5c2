# Reference for TestConfidenceBand: Rscript plotting/testdata/band.R
# R 4.x, stats::lm and stats::predict on the example of the test.
x <- c(1, 2, 3, 5, 8, 13)
y <- c(2.1, 2.9, 4.2, 5.1, 9.7, 13.3)
new <- data.frame(x = c(1, 7, 13))
print(predict(lm(y ~ x), new, interval = "confidence", level = 0.9), digits = 12)
print(predict(lm(y ~ x - 1), new, interval = "confidence", level = 0.9), digits = 12)
