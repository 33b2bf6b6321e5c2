package datasets

import (
	"fmt"
	"strings"
)

const noLicense = "none stated; measurements published in the literature and passed on freely with textbooks"

// List returns the entries of all data sets that About knows: the embedded ones
// that come as a frame. Simulations and NIST's sets are not among them.
func List() []Info {
	return []Info{
		{
			Name: "prostate", Title: "Prostate-specific antigen and clinical measures before radical prostatectomy", Rows: 97,
			Source: "prostate.data of The Elements of Statistical Learning (ESL); lweight of subject 32 is the corrected " +
				"3.804438 (44.9 g), for which the first printing of ESL and R's lasso2 have 6.107580 (449.25 g)",
			Citation: "Stamey, T. A., Kabalin, J. N., McNeal, J. E., Johnstone, I. M., Freiha, F., Redwine, E. A. and Yang, N. (1989) " +
				"Prostate specific antigen in the diagnosis and treatment of adenocarcinoma of the prostate II: radical prostatectomy " +
				"treated patients. Journal of Urology 141:1076-1083",
			License: noLicense,
			Variables: []Variable{
				{"lcavol", "float", "log cm^3", "logarithm of cancer volume"},
				{"lweight", "float", "log g", "logarithm of prostate weight"},
				{"age", "int", "years", "age"},
				{"lbph", "float", "log cm^2", "logarithm of the amount of benign prostatic hyperplasia; log(0.25) stands for none"},
				{"svi", "int", "", "seminal vesicle invasion: 1 yes, 0 no"},
				{"lcp", "float", "log cm", "logarithm of capsular penetration; log(0.25) stands for none"},
				{"gleason", "int", "", "Gleason score, 6 to 9"},
				{"pgg45", "int", "%", "share of Gleason scores 4 or 5"},
				{"lpsa", "float", "log ng/ml", "response: logarithm of prostate-specific antigen"},
				{"train", "string", "", "T: the 67 training rows of ESL, F: its 30 test rows"},
			},
		},
		{
			Name: "diabetes", Title: "Progression of diabetes in a year, on ten baseline variables", Rows: 442,
			Source:   "scikit-learn's raw copy of the data of Efron et al., in original units, neither centered nor scaled",
			Citation: "Efron, B., Hastie, T., Johnstone, I. and Tibshirani, R. (2004) Least angle regression. Annals of Statistics 32:407-499",
			License:  "none stated for the data; distributed by scikit-learn under the BSD 3-clause license",
			Variables: []Variable{
				{"age", "int", "years", "age"},
				{"sex", "int", "", "sex, coded 1 and 2; the source does not say which is which"},
				{"bmi", "float", "kg/m^2", "body mass index"},
				{"bp", "float", "mm Hg", "average blood pressure"},
				{"s1", "int", "mg/dl", "tc, total serum cholesterol"},
				{"s2", "float", "mg/dl", "ldl, low-density lipoproteins"},
				{"s3", "float", "mg/dl", "hdl, high-density lipoproteins"},
				{"s4", "float", "", "tch, total cholesterol / HDL"},
				{"s5", "float", "", "ltg, possibly the logarithm of serum triglycerides"},
				{"s6", "int", "mg/dl", "glu, blood sugar"},
				{"progression", "int", "", "response: disease progression one year after baseline"},
			},
		},
		{
			Name: "caterpillar", Title: "Nests of pine processionary caterpillars and the forest around them", Rows: 33,
			Source: "Marin and Robert's Bayesian Core, after a study of 1973 in Tomassone et al.",
			Citation: "Tomassone, R., Audrain, S., Lesquoy-de Turckheim, E. and Millier, C. (1992) La regression, nouveaux regards sur une " +
				"ancienne methode statistique. Masson; Marin, J.-M. and Robert, C. P. (2007) Bayesian Core. Springer",
			License: noLicense,
			Variables: []Variable{
				{"x1", "int", "m", "altitude"},
				{"x2", "int", "degrees", "slope"},
				{"x3", "int", "", "number of pines in the area"},
				{"x4", "float", "m", "height of the tree sampled at the centre of the area"},
				{"x5", "float", "", "diameter of the tree sampled at the centre; the sources give the unit as metres, which the values cannot be"},
				{"x6", "float", "", "index of settlement density"},
				{"x7", "float", "", "orientation, from 1 (southbound) to 2"},
				{"x8", "float", "m", "height of the dominant tree"},
				{"x9", "float", "", "number of vegetation strata"},
				{"x10", "float", "", "index of mixed settlement, from 1 (not mixed) to 2 (mixed)"},
				{"y", "float", "", "response: average number of nests per tree in 500 m^2; the book models its logarithm"},
			},
		},
		{
			Name: "spambase", Title: "Word and character frequencies of e-mails, spam or not", Rows: 4601,
			Source:    "UCI Machine Learning Repository, with the column names of R's kernlab; for presence of a word use > 0",
			Citation:  "Hopkins, M., Reeber, E., Forman, G. and Suermondt, J. (1999) Spambase. UCI Machine Learning Repository. doi:10.24432/C53G6X",
			License:   "Creative Commons Attribution 4.0 (CC BY 4.0)",
			Variables: spamVariables(),
		},
		{
			Name: "exam", Title: "Examination scores of pupils in 65 schools of Inner London", Rows: 4059,
			Source: "R's package mlmRev, after the Centre for Multilevel Modelling, University of Bristol",
			Citation: "Goldstein, H., Rasbash, J., Yang, M., Woodhouse, G., Pan, H., Nuttall, D. and Thomas, S. (1993) A multilevel analysis of " +
				"school examination results. Oxford Review of Education 19:425-433",
			License: "none stated for the data; distributed by mlmRev under GPL (>= 2)",
			Variables: []Variable{
				{"school", "int", "", "school, 1 to 65"},
				{"normexam", "float", "", "response: examination score at 16, normalised"},
				{"schgend", "string", "", "school's gender: mixed, boys or girls"},
				{"schavg", "float", "", "school's average of the intake score"},
				{"vr", "string", "", "band of the verbal reasoning score: bottom 25%, mid 50% or top 25%"},
				{"intake", "string", "", "band of the pupil's intake score: bottom 25%, mid 50% or top 25%"},
				{"standLRT", "float", "", "London reading test score at 11, standardized"},
				{"sex", "string", "", "F or M"},
				{"type", "string", "", "school type: Mxd (mixed) or Sngl (single sex)"},
				{"student", "int", "", "pupil, numbered within the school"},
			},
		},
		{
			Name: "longley", Title: "Seven economic series of the United States, 1947 to 1962, nearly collinear", Rows: 16,
			Source:   "R's package datasets, with its names and units",
			Citation: "Longley, J. W. (1967) An appraisal of least-squares programs from the point of view of the user. JASA 62:819-841",
			License:  "public domain: statistics of the United States government",
			Variables: []Variable{
				{"GNP.deflator", "float", "1954 = 100", "implicit price deflator of the gross national product"},
				{"GNP", "float", "10^9 US$", "gross national product"},
				{"Unemployed", "float", "10^4 persons", "unemployed"},
				{"Armed.Forces", "float", "10^4 persons", "size of the armed forces"},
				{"Population", "float", "10^6 persons", "noninstitutional population of 14 years and over"},
				{"Year", "int", "", "year"},
				{"Employed", "float", "10^6 persons", "response: employed"},
			},
		},
		{
			Name: "airquality", Title: "Ozone and weather in New York on the days of May to September 1973", Rows: 153,
			Source: "R's package datasets; Month and Day are one column Date, and Solar.R is called Solar",
			Citation: "Chambers, J. M., Cleveland, W. S., Kleiner, B. and Tukey, P. A. (1983) Graphical Methods for Data Analysis. " +
				"Wadsworth; measured by the New York State Department of Conservation and the National Weather Service",
			License: "none stated for the data; distributed with R under GPL-2 or GPL-3",
			Variables: []Variable{
				{"Date", "string", "", "day, in ISO form"},
				{"Ozone", "int", "ppb", "response: mean from 13:00 to 15:00 at Roosevelt Island; 37 are missing"},
				{"Solar", "int", "Langley", "solar radiation, 400 to 770 nm, from 8:00 to 12:00 in Central Park; 7 are missing"},
				{"Wind", "float", "mph", "mean wind speed at 7:00 and 10:00 at LaGuardia Airport"},
				{"Temp", "int", "°F", "largest temperature of the day at LaGuardia Airport"},
			},
		},
		{
			Name: "insurance", Title: "Claims of car insurance, and the holders who could make them", Rows: 64,
			Source: "R's package MASS, where the columns are District, Group, Age, Holders and Claims",
			Citation: "Baxter, L. A., Coutts, S. M. and Ross, G. A. F. (1980) Applications of linear models in motor insurance. " +
				"Proceedings of the 21st International Congress of Actuaries, Zurich, 11-29",
			License: "none stated for the data; distributed with MASS under GPL-2 or GPL-3",
			Variables: []Variable{
				{"district", "int", "", "district of residence, 1 to 4; 4 is major cities"},
				{"engine", "string", "l", "size of the car's engine, in four groups"},
				{"age", "string", "years", "age of the insured, in four groups"},
				{"holders", "int", "", "number of policyholders exposed to the risk"},
				{"claims", "int", "", "response: number of claims in the third quarter of 1973"},
			},
		},
		{
			Name: "co2", Title: "Carbon dioxide in the air at Mauna Loa, monthly means 1959 to 1997", Rows: 468,
			Source: "R's package datasets; the values of February, March and April 1964, which are not measured, are " +
				"interpolated there between those of January and May",
			Citation: "Keeling, C. D. and Whorf, T. P., Scripps Institution of Oceanography (SIO), University of California, La Jolla",
			License:  "none stated for the data; distributed with R under GPL-2 or GPL-3",
			Variables: []Variable{
				{"month", "string", "", "first day of the month, in ISO form"},
				{"co2", "float", "ppm", "response: mean concentration, by the SIO manometric mole fraction scale of 1997"},
			},
		},
		{
			Name: "lynx", Title: "Lynx trapped in the Mackenzie River district of Canada, 1821 to 1934", Rows: 114,
			Source: "R's package datasets",
			Citation: "Brockwell, P. J. and Davis, R. A. (1991) Time Series: Theory and Methods, 2nd ed. Springer, series G; " +
				"Elton, C. and Nicholson, M. (1942) The ten-year cycle in numbers of the lynx in Canada. Journal of Animal Ecology 11:215-244",
			License: "none stated for the data; distributed with R under GPL-2 or GPL-3",
			Variables: []Variable{
				{"year", "int", "", "year"},
				{"lynx", "int", "", "response: lynx trapped in the year"},
			},
		},
		{
			Name: "engel", Title: "Income and spending on food of Belgian households", Rows: 235,
			Source: "R's package quantreg",
			Citation: "Engel, E. (1857) Die Productions- und Consumtionsverhaeltnisse des Koenigreichs Sachsen; " +
				"Koenker, R. and Bassett, G. (1982) Robust tests of heteroscedasticity based on regression quantiles. Econometrica 50:43-61",
			License: "none stated for the data of 1857; distributed with quantreg under GPL-2 or later",
			Variables: []Variable{
				{"income", "float", "francs", "annual income of the household"},
				{"foodexp", "float", "francs", "response: annual spending on food"},
			},
		},
		{
			Name: "stackloss", Title: "Loss of ammonia in a plant on 21 days", Rows: 21,
			Source:   "R's package datasets, where the columns are Air.Flow, Water.Temp, Acid.Conc. and stack.loss",
			Citation: "Brownlee, K. A. (1965) Statistical Theory and Methodology in Science and Engineering, 2nd ed. Wiley, 454",
			License:  "none stated for the data; distributed with R under GPL-2 or GPL-3",
			Variables: []Variable{
				{"AirFlow", "int", "", "flow of cooling air"},
				{"WaterTemp", "int", "", "temperature of the cooling water"},
				{"AcidConc", "int", "", "concentration of acid, per 1000 minus 500"},
				{"StackLoss", "int", "", "response: ten times the percentage of ammonia lost"},
			},
		},
		{
			Name: "eightschools", Title: "Effects of coaching on SAT-V scores in eight schools", Rows: 8,
			Source:   "the estimates as Rubin's table gives them",
			Citation: "Rubin, D. B. (1981) Estimation in parallel randomized experiments. Journal of Educational Statistics 6:377-401",
			License:  noLicense,
			Variables: []Variable{
				{"school", "string", "", "A to H"},
				{"effect", "float", "points", "estimated effect of coaching"},
				{"se", "float", "points", "its standard error"},
			},
		},
		{
			Name: "benchmarks", Title: "Accuracy of classifiers of pictures on an old test set and on a new one", Rows: 9,
			Source: "nine of the models in the paper's tables; figures of published measurements",
			Citation: "Recht, B., Roelofs, R., Schmidt, L. and Shankar, V. (2019) Do ImageNet classifiers generalize to ImageNet? " +
				"Proceedings of the 36th International Conference on Machine Learning, PMLR 97:5389-5400",
			License: noLicense,
			Variables: []Variable{
				{"benchmark", "string", "", "CIFAR-10 or ImageNet"},
				{"model", "string", "", "name in the paper"},
				{"original", "float", "%", "accuracy on the original test set"},
				{"fresh", "float", "%", "accuracy on the new test set"},
			},
		},
		{
			Name: "reviews", Title: "Short reviews of an electric kettle, and the stars they give", Rows: 24,
			Source:   "written for this course; nobody's opinion of any product",
			Citation: "none needed",
			License:  "that of this project",
			Variables: []Variable{
				{"stars", "int", "", "response: 1 to 5"},
				{"text", "string", "", "the review, one to three sentences"},
			},
		},
		{
			Name: "projection", Title: "Least squares as a projection in three dimensions", Rows: 3,
			Source:   "made for teaching",
			Citation: "none needed",
			License:  "public domain",
			Variables: []Variable{
				{"x1", "float", "", "(2, 2, 2), spans the plane with x2"},
				{"x2", "float", "", "(0, 2, 4)"},
				{"x3", "float", "", "(4, 0, -4) = 2 x1 - 2 x2, another vector of the plane"},
				{"y", "float", "", "response: (6, 0, 0), whose projection is (5, 2, -1)"},
			},
		},
	}
}

// spamVariables writes the dictionary of Spambase from its column names.
func spamVariables() []Variable {
	marks := map[string]string{
		"charSemicolon": ";", "charRoundbracket": "(", "charSquarebracket": "[",
		"charExclamation": "!", "charDollar": "$", "charHash": "#",
	}
	var vars []Variable
	for _, name := range header("spambase.csv.gz") {
		v := Variable{name, "float", "%", ""}
		switch {
		case name == "capitalAve":
			v.Unit, v.Description = "letters", "average length of runs of capital letters"
		case name == "capitalLong":
			v.Type, v.Unit, v.Description = "int", "letters", "length of the longest run of capital letters"
		case name == "capitalTotal":
			v.Type, v.Unit, v.Description = "int", "letters", "total length of runs of capital letters"
		case name == "type":
			v.Type, v.Unit, v.Description = "string", "", "spam or nonspam"
		case marks[name] != "":
			v.Description = fmt.Sprintf("share of the character %s among the characters", marks[name])
		default:
			v.Description = fmt.Sprintf("share of the word %q among the words", strings.TrimPrefix(name, "num"))
		}
		vars = append(vars, v)
	}
	return vars
}
