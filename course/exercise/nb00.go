package exercise

import "math"

// A first day with data. R:
//
//	a <- airquality; a$C <- (a$Temp - 32)*5/9
//	sum(a$Ozone > 60, na.rm = TRUE)
//	coef(lm(log(Ozone) ~ C + Wind + Solar.R, a))
//	predict(lm(Ozone ~ C + Wind + Solar.R, a), data.frame(C = 15, Wind = 15, Solar.R = 50))
//	anova(lm(log(Ozone) ~ C + Wind + Solar.R, a), lm(log(Ozone) ~ C + Wind + Solar.R + factor(Month), a))
func init() {
	const slope = 0.0885080237
	notebook("00",
		exercise{
			asks: "the number of days of the summer with more than 60 ppb of ozone",
			want: 31,
			wrong: []wrong{
				{29, "Two days with more than 60 ppb lack the sun's measurement. Count in air, not in complete."},
				{68, "A day without a measurement counts here as one above 60: 37 days have none."},
			},
			hint: "frames.Where(air, \"Ozone > 60\") has one row for each such day.",
		},
		exercise{
			asks: "the factor by which ozone is multiplied when it is 10 °C hotter, wind and sun held",
			want: math.Exp(10 * slope), within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{10 * slope, "This is what is added to the logarithm of ozone; its exponential multiplies ozone."},
				{math.Exp(slope), "This is the factor of one degree."},
				{10 * math.Exp(slope), "Ten degrees multiply ten times over; they do not add ten factors up."},
			},
			hint: "The fit is of log(Ozone), and the slope of Celsius is for one degree.",
		},
		exercise{
			asks: "the function that gives this factor for any change of the temperature in °C",
			want: func(degrees float64) float64 { return math.Exp(slope * degrees) },
			at:   []float64{0, 1, -5, 10}, within: 0.005, because: "two decimals say it",
			hint: "No change multiplies by 1, and 5 °C less undo what 5 °C more do.",
		},
		exercise{
			asks: "the name of the month that has more ozone for its weather than the others, or \"none\" if the data do not tell",
			want: "none",
			wrong: []wrong{
				{"May", "May's estimate is the largest, but no other month differs from it by two standard errors, and the months together have p = 0.67: this is noise."},
				{"July", "July has much ozone because it is hot. What is left when the weather is in the fit?"},
				{"August", "August has much ozone because it is hot. What is left when the weather is in the fit?"},
			},
			hint: "Fit log(Ozone) ~ Celsius + Wind + Solar + factor(Month), and hold each month's difference against its standard error.",
		},
		exercise{
			asks: "the ozone (ppb) that the fit without the logarithm predicts for a day of 15 °C, 15 mph of wind and 50 Langley",
			want: -13.88, within: 0.05, because: "one decimal says it",
			wrong: []wrong{{13.88, "Look at the sign: that is what is wrong with this fit."}},
			hint:  "Fit Ozone ~ Celsius + Wind + Solar to the complete days, and predict one row.",
		})
}
