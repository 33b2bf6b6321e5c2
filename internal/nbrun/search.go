package main

import (
	"fmt"
	"html"
	"maps"
	"slices"
)

// writeSearch writes what the pages' search finds, as a script that defines it, since pages opened from a
// folder may load nothing else: names of the packages, figures of the gallery
// and sections of the notebooks.
func (s *site) writeSearch() error {
	entries := s.entries
	for _, name := range packages {
		synopses := s.docs[name].synopses
		for _, anchor := range slices.Sorted(maps.Keys(synopses)) {
			link, _ := s.docs.link(name, anchor)
			entries = append(entries, [3]string{name + "." + anchor, link, synopses[anchor]})
		}
	}
	for i, p := range s.pages {
		entries = append(entries, [3]string{p.Number + " " + p.Title, p.Name + ".html", p.Summary})
		for _, section := range s.sections[i] {
			title := html.UnescapeString(tag.ReplaceAllString(string(section.Title), ""))
			entries = append(entries, [3]string{title, p.Name + ".html" + section.Anchor, "notebook " + p.Number})
		}
	}
	b, err := encode(entries, "")
	if err != nil {
		return err
	}
	return s.write("search.js", fmt.Appendf(nil, "const regbookIndex = %s;\n", b))
}
