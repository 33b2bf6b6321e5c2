package exercise

// Least squares as geometry. R, of the prostate data p:
//
//	X <- cbind(2, c(0, 2, 4)); X %*% solve(t(X) %*% X, t(X) %*% c(0, 6, 0))
//	t <- p$train; two <- lm(lpsa ~ lcavol + lweight, p[t, ]); mean((p$lpsa[!t] - predict(two, p[!t, ]))^2)
//	summary(lm(lpsa ~ ., p[t, 1:9]))$r.squared
//	m <- p; m$lcavol[97] <- 1000*m$lcavol[97]; f <- lm(lpsa ~ lcavol, m); coef(f)[2]; hatvalues(f)[97]
//	coef(lm(lpsa ~ lcavol, p)); mean(p$lcavol); mean((p$lcavol - mean(p$lcavol))^2)
func init() {
	const slope, mean, variance, men = 0.719320391768, 1.35000958048, 1.37483540092, 97
	leverage := func(x float64) float64 { return (1 + (x-mean)*(x-mean)/variance) / men }
	notebook("01",
		exercise{
			asks: "the projection of (0, 6, 0) onto the plane of x₁ and x₂: three numbers",
			want: []float64{2, 2, 2}, within: 1e-6, because: "they are whole",
			wrong: []wrong{
				{[]float64{5, 2, -1}, "This is the projection of (6, 0, 0)."},
				{[]float64{-2, 4, -2}, "This is the residual, what is left of y."},
			},
			hint: "mlreg.Project(plane, []float64{0, 6, 0}) returns the projection and the residual.",
		},
		exercise{
			asks: "the mean squared error of lpsa ~ lcavol + lweight, fitted to the training men, on the others",
			want: 0.4924823477, within: 0.0005, because: "three decimals say it",
			wrong: []wrong{
				{0.5212740, "This is that of all eight predictors."},
				{0.5536096, "This is the mean of the squared residuals of the training men, for whom the weights were chosen."},
			},
			hint: "Sum the squared residuals of the other men, and divide by their number.",
		},
		exercise{
			asks: "R² of the eight predictors on the training men",
			want: 0.6943711797, within: 0.0005, because: "three decimals say it",
			wrong: []wrong{
				{0.6522, "This is the adjusted R²."},
				{0.5034, "This is the share on the other men."},
			},
			hint: "The method is R2.",
		},
		exercise{
			asks: "the function that gives the slope of lpsa + c lcavol on lcavol, for any c",
			want: func(c float64) float64 { return slope + c },
			at:   []float64{0, 1, -2, 10}, within: 0.0005, because: "three decimals say it",
			hint: "At c = 0 it is the slope of the line above.",
		},
		exercise{
			asks: "the function that gives the leverage of a man with this lcavol in the fit of the line",
			want: leverage,
			at:   []float64{-1, 0, mean, 3}, within: 0.00005, because: "four decimals say it",
			hint: "It is 1/n at the mean of lcavol, and rises with the square of the distance from it over the sum of all such squares.",
		},
		exercise{
			asks: "the slope of lpsa on lcavol after the typing error, and the leverage of that man: two numbers",
			want: []float64{0.000911313578, 0.999989306394}, within: 0.000005, because: "five decimals say it",
			wrong: []wrong{{[]float64{slope, 0.04407303}, "This is the fit of the data as they are."}},
			hint:  "Only the last lcavol changes; the leverage is that of row 97.",
		})
}
