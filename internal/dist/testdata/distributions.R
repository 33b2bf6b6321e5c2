# Tail probabilities at large degrees of freedom, and quantiles, by R's own
# pt, pf, pchisq, qnorm, qt, qf and qchisq.
# Command: Rscript distributions.R > distributions_r.csv
# Columns: what, p, d1, d2, value; for t, F and chi2 tails the column p is the argument.
out <- function(what, p, d1, d2, v)
  if (is.finite(v) && v > 1e-305) cat(sprintf("%s,%.17g,%.17g,%.17g,%.17g\n", what, p, d1, d2, v))
cat("what,p,d1,d2,value\n")
for (nu in c(1e5, 1e6, 1e7)) for (t in c(.3, 1, 1.96, 5, 12, 30)) out("t", t, 1, nu, 2 * pt(t, nu, lower.tail = FALSE))
for (d1 in c(1e5, 1e7)) for (d2 in c(1e3, 1e5, 1e7)) for (f in c(.9, .99, 1, 1.001))
  out("F", f, d1, d2, pf(f, d1, d2, lower.tail = FALSE))
for (nu in c(1e5, 1e7)) for (r in c(.98, .999, 1)) out("chi2", nu * r, nu, 0, pchisq(nu * r, nu, lower.tail = FALSE))
# Quantiles where R's are good to 1e-13.
for (p in c(1e-300, 1e-100, 1e-20, 1e-8, .001, .025, .25)) out("qnorm", p, 0, 0, qnorm(p, lower.tail = FALSE))
for (nu in c(2, 5, 7.5, 30, 1000, 1e6, 1e7)) for (p in c(.001, .005, .025, .05, .25)) {
  out("qt", p, 1, nu, qt(p, nu, lower.tail = FALSE))
  out("qchisq", p, nu, 0, qchisq(p, nu, lower.tail = FALSE))
  if (nu <= 1000) for (d1 in c(1, 4, 50)) if (d1 > 1 || p < .25) out("qf", p, d1, nu, qf(p, d1, nu, lower.tail = FALSE))
}
