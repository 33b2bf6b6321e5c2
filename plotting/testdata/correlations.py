# The coefficients of correlation that TestCorrelations holds CorrelationMap to: of
# the 67 training rows of the prostate data, in decimal arithmetic of 40 digits.
#
#     python3 correlations.py ../../datasets/data/prostate.csv
import csv
import sys
from decimal import Decimal, getcontext

getcontext().prec = 40
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["train"] == "T"]


def deviations(name):
    x = [Decimal(r[name]) for r in rows]
    mean = sum(x) / len(x)
    return [v - mean for v in x]


def dot(a, b):
    return sum(u * v for u, v in zip(a, b))


for pair in ["lcavol lpsa", "lcavol lcp", "gleason pgg45", "svi lcp", "lweight lbph", "lbph svi", "age lweight"]:
    a, b = map(deviations, pair.split())
    print(pair, "%.16g" % (dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()))
