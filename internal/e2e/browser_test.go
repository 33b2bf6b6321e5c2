package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// A file that the page is writing is read again until it is a notebook with its outputs.
func TestSaved(t *testing.T) {
	answers := []string{
		"", // Jupyter's "Unreadable Notebook"
		`{"content": null}`,
		`{"content": {"cells": []}}`,
		`{"content": {"cells": [{"outputs": []}]}}`,
		`{"content": {"cells": [{"outputs": [{}]}]}}`,
	}
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		answer := answers[min(asked, len(answers)-1)]
		if asked++; answer == "" {
			http.Error(w, "Unreadable Notebook", http.StatusBadRequest)
			return
		}
		w.Write([]byte(answer))
	}))
	defer server.Close()
	s, err := newServer(server.URL + "/?token=0")
	if err != nil {
		t.Fatal(err)
	}
	nb, err := (&browserTest{server: s}).saved(t.Context(), "a.ipynb")
	if err != nil || asked != len(answers) || !nb.hasLastOutput() {
		t.Errorf("asked %d times: %v, error %v", asked, nb, err)
	}
}
