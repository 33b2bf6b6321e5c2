package main

func save(seed uint64, cases []*Case, answers map[string]*answer) error { return nil }
