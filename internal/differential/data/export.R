# R's own data sets, as the CSV files beside this script. Factors become text.
#
#   Rscript --vanilla export.R
#
# R 4.2.2, MASS 7.3-58.
suppressMessages(library(MASS))
sets <- list(
  datasets = c("airquality", "anscombe", "attitude", "cars", "ChickWeight", "chickwts", "CO2", "faithful", "infert",
               "InsectSprays", "iris", "LifeCycleSavings", "longley", "morley", "mtcars", "npk", "Orange", "OrchardSprays",
               "PlantGrowth", "pressure", "Puromycin", "rock", "sleep", "stackloss", "swiss", "ToothGrowth", "trees",
               "warpbreaks", "women"),
  MASS = c("anorexia", "birthwt", "Boston", "cabbages", "cats", "cpus", "crabs", "hills", "leuk", "oats", "petrol",
           "Pima.tr", "Rubber", "steam", "UScereal", "UScrime", "whiteside"))
for (package in names(sets)) for (name in sets[[package]]) {
  data <- as.data.frame(get(name, envir = as.environment(paste0("package:", package))))
  if (name == "Boston") data <- data[seq(1, 506, 3), ]
  if (name == "ChickWeight") data <- data[seq(1, 578, 4), ]
  if (name == "cpus") data <- data[, -1]
  data[] <- lapply(data, function(x) if (is.factor(x)) as.character(x) else x)
  write.csv(data, paste0(name, ".csv"), row.names = FALSE, quote = FALSE)
}
