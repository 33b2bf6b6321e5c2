package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// The plan of one session is that of the next, but for the session's folder and the name of
// its module. So the kernel's folder keeps the newest, and a session begins with it: its
// first cell needs no go command either, nor does one that imports what firstcell.txt imports,
// of which try makes the first plan. Where the folder cannot be written, each session makes its own.

// anySession and anyModule stand for the folder and the module of a session in the plan
// that the kernel keeps.
const anySession, anyModule = "$SESSION", "$MODULE"

// share keeps the plan of a session for those to come.
func (p *plan) share(session string) {
	name, err := moduleOf(session)
	if err != nil {
		return
	}
	shared, err := p.renamed(session, anySession, name, anyModule)
	if err != nil {
		return
	}
	shared.Program, shared.Built = "", ""
	// A failure costs the next session time, nothing else.
	_ = shared.write(os.Getenv(homeEnv))
}

// sharedPlan returns the plan that the kernel keeps, as that of a session.
func sharedPlan(session string) (*plan, error) {
	p, err := ownPlan(os.Getenv(homeEnv))
	if err != nil {
		return nil, err
	}
	name, err := moduleOf(session)
	if err != nil {
		return nil, err
	}
	return p.renamed(anySession, session, anyModule, name)
}

func moduleOf(session string) (string, error) {
	b, err := os.ReadFile(filepath.Join(session, "go.mod"))
	return modfile.ModulePath(b), err
}

// renamed returns the plan with another folder and another module for those that it names: the
// compiler is told of the program in the folder, and the build information of the module.
func (p *plan) renamed(folder, newFolder, name, newName string) (*plan, error) {
	q := *p
	q.Compile = slices.Clone(p.Compile)
	at := slices.Index(q.Compile, filepath.Join(folder, "main.go"))
	old, renamed := `path\t`+name+`\nmod\t`+name+`\t`, `path\t`+newName+`\nmod\t`+newName+`\t`
	if at < 0 || !strings.Contains(p.Info[0], old) {
		return nil, errors.New("the plan is not of this session")
	}
	q.Compile[at] = filepath.Join(newFolder, "main.go")
	q.Info[0] = strings.Replace(p.Info[0], old, renamed, 1)
	return &q, nil
}
