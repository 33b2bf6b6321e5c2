package datasets

import (
	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/frames"
)

// Reviews returns 24 short reviews of an electric kettle, written for this
// course: text, and the response stars, 1 to 5. Use it for regression on the
// words in a text: stars ~ words(text).
func Reviews() dataframe.DataFrame {
	reviews := []struct {
		stars int
		text  string
	}{
		{5, "Boils fast and looks great on the counter."},
		{1, "It leaks at the handle and broke within a week."},
		{4, "Quiet, fast and easy to clean."},
		{2, "The lid is loose and the steam burnt my hand."},
		{5, "Great kettle: quiet, solid, easy to fill."},
		{3, "It boils water. Not fast, not slow."},
		{1, "Broke after a month, and the shop was slow to answer."},
		{4, "A solid kettle for the price."},
		{2, "Too loud for a small kitchen, and slow as well."},
		{5, "I love it. Great price, great look, boils in no time."},
		{3, "Fast, but loud."},
		{1, "Cheap plastic smell in the water; it leaks too."},
		{4, "Easy to clean, and the light is a nice touch."},
		{2, "The switch broke, though it was fast while it worked."},
		{5, "Quiet and quick, I love the handle."},
		{3, "Nice look, but the lid is hard to open."},
		{4, "Great for tea; a little loud."},
		{1, "Leaks, smells of plastic, and the lid is loose."},
		{5, "Solid steel, no smell, easy to clean. Love it."},
		{2, "Slow to boil and hard to fill."},
		{3, "It is cheap, and it shows, but it boils fast."},
		{4, "Quiet. The handle stays cool, which I love."},
		{1, "The plastic lid broke on the first day."},
		{3, "Loud but solid, and the price is right."},
	}
	stars, text := make([]int, len(reviews)), make([]string, len(reviews))
	for i, r := range reviews {
		stars[i], text[i] = r.stars, r.text
	}
	return built(frames.Col("stars", stars), frames.Col("text", text))
}
