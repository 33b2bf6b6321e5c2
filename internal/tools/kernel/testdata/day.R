# Makes the three files of TestWorkingDay and what R computes of them, by base R alone:
#
#	Rscript day.R day       (R 4.2)
#
# sales.csv has dates in two forms, names of regions as typed, and amounts with a currency. clinic.csv has
# values below the limit of detection and missing ones. load.csv has the clocks of Zurich, and the
# hour that they show twice. answers.txt has a line for each cell that is held to R: a name, and numbers.
folder <- commandArgs(TRUE)[1]
at <- function(file) file.path(folder, file)
answers <- character()
answer <- function(name, ...) answers <<- c(answers, paste(c(name, formatC(c(...), digits = 12, format = "g")), collapse = " "))

# Sales.
set.seed(1)
n <- 160
day <- as.Date("2024-01-01") + sort(sample(0:120, n, TRUE))
region <- sample(c("north", "south", "west"), n, TRUE)
units <- sample(1:40, n, TRUE)
price <- round(exp(3 + 0.9 * log(units) + 0.2 * (region == "south") + rnorm(n, 0, 0.3)), 2)
typed <- ifelse(runif(n) < 0.3, toupper(region), region)
typed <- ifelse(runif(n) < 0.2, paste0(" ", typed, " "), typed)
typed[c(5, 60)] <- "nroth"
region[c(5, 60)] <- "north"
money <- paste0("$", formatC(price, format = "f", digits = 2, big.mark = ","))
write.csv(data.frame(day = ifelse(runif(n) < 0.5, format(day, "%d/%m/%Y"), format(day)), region = typed, units, amount = money),
	at("sales.csv"), row.names = FALSE)
sales <- data.frame(day, region, units, amount = price)
sales <- sales[sales$units >= 3, ]
sales$month <- as.integer(format(sales$day, "%m"))
answer("rows", nrow(sales), mean(sales$amount))
answer("regions", table(sales$region))
wide <- tapply(sales$amount, list(sales$region, sales$month), sum)
answer("wide", t(wide))
managers <- data.frame(region = c("north", "south"), staff = c(4, 7))
joined <- merge(sales, managers, all.x = TRUE)
answer("joined", nrow(joined), sum(joined$staff, na.rm = TRUE), sum(is.na(joined$staff)))
m <- lm(log(amount) ~ log(units) + factor(region), sales)
answer("lm", t(cbind(coef(summary(m)), confint(m))))
answer("anova", anova(m)[["F value"]][1:2])
r <- resid(m)
bp <- lm(r^2 ~ model.matrix(m)[, -1])
answer("diagnose", nrow(sales) * summary(bp)$r.squared, max(cooks.distance(m)))
h <- hatvalues(m)
x <- model.matrix(m)
bread <- solve(crossprod(x))
answer("robust", sqrt(diag(bread %*% crossprod(x * r / (1 - h)) %*% bread)))
new <- data.frame(units = c(10, 25), region = c("west", "south"))
answer("predict", t(predict(m, new, interval = "prediction", level = 0.9)))

# The clinic.
n <- 120
id <- 1:n
site <- sample(c("A", "B", "C", "D"), n, TRUE)
age <- round(rnorm(n, 60, 12))
age[sample(n, 9)] <- NA
sex <- sample(c("f", "m"), n, TRUE)
crp <- signif(exp(rnorm(n, 0.5, 1.2)), 2)
below <- crp < 0.5
ill <- rbinom(n, 1, plogis(-4 + 0.05 * ifelse(is.na(age), 60, age) + 0.8 * log(crp)))
before <- round(rnorm(n, 80, 10), 1)
after <- round(before - 2 + rnorm(n, 0, 3), 1)
write.csv(data.frame(id, site, age = ifelse(is.na(age), "n/a", age),
	sex = ifelse(sex == "m", sample(c("m", "M", "male"), n, TRUE), sample(c("f", "F", "female"), n, TRUE)),
	crp = ifelse(below, "<0.5", crp), weight_before = before, weight_after = after, ill = ifelse(ill == 1, "yes", "no")),
	at("clinic.csv"), row.names = FALSE)
clinic <- data.frame(id, site, age, sex, crp = ifelse(below, 0.25, crp), below, before, after, ill)
answer("censored", sum(clinic$below), sum(is.na(clinic$age)), mean(clinic$crp))
answer("sexes", table(clinic$sex))
known <- clinic[!is.na(clinic$age), ]
answer("known", nrow(known))
answer("sites", t(cbind(tapply(known$crp, known$site, mean), tapply(known$ill, known$site, sum))))
answer("longer", 2 * nrow(known), mean(c(known$before, known$after)))
g <- glm(ill ~ log(crp) + age + sex, binomial, known, epsilon = 1e-14)
answer("glm", coef(g), sqrt(diag(vcov(g))))
answer("odds", exp(coef(g)), exp(confint.default(g, level = 0.9)))
a <- predict(g, data.frame(crp = c(1, 8), age = c(50, 70), sex = c("f", "m")), se.fit = TRUE)
answer("risk", plogis(a$fit), plogis(a$fit - qnorm(0.975) * a$se.fit), plogis(a$fit + qnorm(0.975) * a$se.fit))
long <- data.frame(id = rep(known$id, 2), weight = c(known$before, known$after), when = rep(0:1, each = nrow(known)))
w <- lm(weight ~ when, long)
xl <- model.matrix(w)
scores <- rowsum(xl * resid(w), long$id)
k <- nrow(scores)
bread <- solve(crossprod(xl))
answer("clustered", sqrt(diag(bread %*% crossprod(scores) %*% bread) * k / (k - 1) * (nrow(xl) - 1) / (nrow(xl) - 2)))

# The load of a network, in October.
utc <- seq(as.POSIXct("2024-10-21 22:00", tz = "UTC"), by = "hour", length.out = 24 * 10)
local <- format(utc, tz = "Europe/Zurich", format = "%Y-%m-%d %H:%M")
hours <- seq_along(utc)
load <- as.numeric(round(500 + 80 * sin(2 * pi * hours / 24) + arima.sim(list(ar = 0.8), length(utc), sd = 10), 1))
write.csv(data.frame(clock = local, load), at("load.csv"), row.names = FALSE)
answer("repeated", sum(duplicated(local)), length(utc))
day <- substr(local, 1, 10)
answer("days", tapply(load, day, length))
answer("daily", tapply(load, day, mean))
y <- load[-1]
lag <- load[-length(load)]
ar <- lm(y ~ lag)
answer("ar", coef(ar), summary(ar)$sigma)
b <- coef(ar)
f <- numeric(3)
last <- load[length(load)]
for (i in 1:3) f[i] <- last <- b[1] + b[2] * last
answer("forecast", f)
writeLines(answers, at("answers.txt"))
