package exercise_test

import "github.com/regbook/regbook/course/exercise"

func ExampleCheck() {
	exercise.Check("00.1", nil)
	exercise.Check("00.1", 29)
	exercise.Check("00.1", 31)
	exercise.Check("00.2", 0.885)
	exercise.Check("00.9", 1)
	// Output:
	// 00.1 asks for the number of days of the summer with more than 60 ppb of ozone
	// 00.1: not yet. Two days with more than 60 ppb lack the sun's measurement. Count in air, not in complete.
	// 00.1: right
	// 00.2: not yet. This is what is added to the logarithm of ozone; its exponential multiplies ozone.
	// there is no exercise "00.9"; notebook 00 has 00.1, 00.2, 00.3, 00.4, 00.5
}
