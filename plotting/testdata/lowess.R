# Reference for TestLowess: Rscript plotting/testdata/lowess.R
# R 4.x, stats::lowess with its defaults, on ties and an outlier (i = 18), and on
# points so dense that R interpolates between some (delta = 1% of the range).
i <- 0:39
x <- c((i * 7) %% 20, 25)
y <- c(sin(x[1:40] / 3) + ((i * 13) %% 11) / 20, 0.2)
y[19] <- y[19] + 6
print(lowess(x, y)$y, digits = 12)
print(lowess(x, y, f = 0.3)$y, digits = 12)
j <- 0:299
x <- (j / 299)^3
y <- cos(5 * x) + ((j * 17) %% 23) / 30
s <- lowess(x, y)
print(s$y[1 + c(0, 1, 50, 120, 121, 122, 200, 260, 299)], digits = 12)
# The order-statistic limits of TestQQBand.
n <- 20
i <- c(1, 7, 20)
print(rbind(qnorm(qbeta(0.05, i, n + 1 - i)), qnorm(qbeta(0.95, i, n + 1 - i))), digits = 12)
print(qqnorm(1:20, plot.it = FALSE)$x[i], digits = 12)
print(qqnorm(1:10, plot.it = FALSE)$x[c(1, 4)], digits = 12)
