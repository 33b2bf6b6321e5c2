# Regbook's commands; "make" lists them. Everything they make is under build/.

SHELL := /bin/sh
.DEFAULT_GOAL := help
# INSTALL=no installs nothing on this machine, and says what is missing.
export INSTALL
.PHONY: help notebooks lab test regen clean go tools

GO := go
setup := internal/tools/setup.sh
bin := build/bin
# All is compiled as cells are, without what a debugger wants, and so once; with
# little collection of garbage, on which compilers spend a third of their time.
export GOFLAGS := $(strip $(shell $(GO) env GOFLAGS 2>/dev/null) -gcflags=all=-dwarf=false)
tools test-go test-kernel test-race: export GOGC := 400
# No version stamps: Git refuses to tell them in a clone that another user owns.
go_build := $(GO) build -buildvcs=false

# What executes the notebooks, two at a time: all of them, or those that
# make NOTEBOOKS="notebooks/01_least_squares_geometry.ipynb" ... names.
NOTEBOOKS :=

# Every package is vetted as its tests are built, by all checks and once, and make test
# runs every test once, as a user's processor runs it, and a page as one program. Both that and
# a kernel for each page is make test-kernel. What runs tests again is make test-race:
# the race detector is for the packages that start goroutines, or hand them something: what
# only calls those is ten times as slow with it. Of package plotting it is for the output
# that goroutines share, not for drawing. With it, and with the kernels of other
# processors, tests that repeat a computation or compare with a slow one are left
# out (-short). With it, Examples are left out, and of mlreg the long tests that start
# no goroutine (sequential, in helpers_test.go). Two runs go on at a time, so that no processor waits for long.
# Programs read REGBOOK_KERNELS before go test notes what they read, so that it would take a
# result of other kernels for theirs: -count=1.
# Packages whose tests take longest start first, so that none is left alone at the end.
longest := ./internal/nbrun ./mlreg
alone := /plotting|/course/|/datasets|/report$$|/internal/bench/|/internal/(attack|bench|cells|cpu|dd|differential|digits|docs|engine|exported|format|glm|heap|hierarchy|invariance|keep|lsq|nbrun|problem|wholefile)$$
shared := Sink|Show|Display|Sync|Drain|Pipe|Progress|Interrupt
nbrun = jupyter=$$($(setup) jupyter) && $(bin)/nbrun -jupyter "$$jupyter"

## notebooks: execute every notebook; write them and an HTML site to build/site
notebooks: tools
	@$(nbrun) run $(NOTEBOOKS)

## site: the same site, of the committed outputs: nothing is executed
.PHONY: site
site: tools
	@$(nbrun) site

## course: write a lecturer's folder: notebooks for students and for teachers, and slides (OUT=folder; NOTEBOOKS=)
.PHONY: course grade release
course: tools
	@$(nbrun) -out '$(OUT)' kit $(NOTEBOOKS)

## grade: run the notebooks handed in below a folder, each in a container, and list exercises by student (IN=folder; IMAGE=regbook)
IMAGE := regbook
grade: tools
	@$(nbrun) -image '$(IMAGE)' grade '$(IN)'

## release: write what a person would push to build/release: the site, the module as a proxy has it, tried by go get, the image, a list of what to do (VERSION=v0.1.0)
release: site
	@internal/tools/release.sh '$(VERSION)'

## lab: open JupyterLab, or Jupyter Notebook, on notebooks/ with the Go kernel
lab: tools
	@internal/tools/lab.sh

## test: vet, run every test of the packages once, and hold every page of the course against its committed outputs; needs Go and nothing else
test: test-go
	@echo "== the pages of the course: two minutes"
	@$(go_build) -o $(bin)/nbrun ./internal/nbrun && $(bin)/nbrun check $(NOTEBOOKS)
	@echo "== all passed"

# What fails is named last, with the command that runs it alone.
.PHONY: test-go test-kernel test-race test-portable lint
gotest = $(bin)/gotest
test-go: go
	@$(setup) modules
	@mkdir -p $(bin) && $(go_build) -o $(gotest) ./internal/gotest
	@echo "== go vet, go test, Parquet files: some minutes"
	@if $(GO) -C frames/source/parquet mod download >/dev/null 2>&1; then \
		parquet="-- -C frames/source/parquet -vet=all ./..."; \
	else echo "not tested: the modules of frames/source/parquet cannot be had here"; fi; \
	$(gotest) -vet=all $(longest) ./... $$parquet

## test-kernel: test the kernel, and execute every page in it, cell by cell, as a reader does
test-kernel: tools
	@mkdir -p $(bin) && $(go_build) -o $(gotest) ./internal/gotest
	@echo "== the kernel: six minutes"
	@$(gotest) -C internal/tools -vet=all ./...
	@echo "== notebooks: some minutes"
	@$(nbrun) -kernel check $(NOTEBOOKS)
	@echo "== all passed"

## lint: check the format of the code, and run staticcheck
lint: tools
	@bad=$$(find . -name '*.go' -not -path './build/*' -exec "$$($(GO) env GOROOT)/bin/gofmt" -l {} +); \
		if [ -n "$$bad" ]; then echo "not formatted (gofmt -w does it):"; echo "$$bad"; exit 1; fi
	@$(bin)/staticcheck ./... && cd internal/tools && ../../$(bin)/staticcheck ./...

## test-race: test with the race detector, and with the kernels of processors without AVX-512 and without AVX2
test-race: go
	@mkdir -p $(bin) && $(go_build) -o $(gotest) ./internal/gotest
	@echo "== go test -race, without AVX-512, without AVX2: 5 minutes on two processors"
	@$(gotest) CGO_ENABLED=1 -vet=off -race -short -run '^(Test|Fuzz)' ./mlreg $$($(GO) list -buildvcs=false ./... | grep -v -E '$(alone)') \
		-- CGO_ENABLED=1 -vet=off -race -run '$(shared)' ./plotting \
		-- REGBOOK_KERNELS=portable -count=1 -vet=off -short ./mlreg ./mlreg/internal/... \
		-- REGBOOK_KERNELS=avx2 -count=1 -vet=off -short ./mlreg/internal/...

## test-portable: all tests and notebooks as on processors without AVX-512 and without AVX2 (KERNELS=avx2 or portable for one of them)
KERNELS := avx2 portable
test-portable: tools
	@$(go_build) -o $(gotest) ./internal/gotest
	@set -e; jupyter=$$($(setup) jupyter); for kernels in $(KERNELS); do \
		echo "== REGBOOK_KERNELS=$$kernels"; export REGBOOK_KERNELS=$$kernels; \
		$(gotest) -count=1 ./...; $(bin)/nbrun -jupyter "$$jupyter" check $(NOTEBOOKS); done

## soak: make test in a fresh clone of HEAD, in five environments (ENV=idle, busy, one, elsewhere or user for one of them); writes build/soak.md (AGAIN=1)
.PHONY: soak
soak: go
	@internal/tools/soak.sh $(ENV)

## regen: execute every notebook and rewrite its committed outputs
regen: tools
	@$(nbrun) regen $(NOTEBOOKS)

## mutate: change literals of the notebooks' code, one at a time, and list the changes that nothing notices (SEED=, N=, NOTEBOOKS=)
.PHONY: mutate
mutate: go
	@$(go_build) -o $(bin)/nbrun ./internal/nbrun
	@$(bin)/nbrun $(if $(SEED),-seed $(SEED)) $(if $(N),-n $(N)) mutate $(NOTEBOOKS)

## code-mutants: change an operator, a constant or an index of the code, one at a time, and list the changes that no short test of the package notices (SEED=, N=60, IN=mlreg, STORED=)
.PHONY: code-mutants
IN := mlreg
code-mutants: go
	@$(GO) run -buildvcs=false ./internal/mutants $(if $(SEED),-seed $(SEED)) $(if $(N),-n $(N)) -in $(IN) $(if $(STORED),-stored '$(STORED)')

## terms: print how long the pages are, and fail on a term that a page uses before the course defines it
.PHONY: terms
terms: go
	@$(go_build) -o $(bin)/nbrun ./internal/nbrun
	@$(bin)/nbrun terms

## attack: call every exported function and method at random with hostile arguments; no hang, no death, no undocumented panic (SEEDS="1 2 3", CALLS=100000, ONLY=mlreg.FitOLS)
.PHONY: attack
SEEDS := 1
CALLS := 100000
attack: go
	@for seed in $(SEEDS); do $(GO) run -buildvcs=false ./internal/attack -seed $$seed -calls $(CALLS) $(if $(ONLY),-only '$(ONLY)') || exit 1; done

## kernel: give your own Jupyter a kernel, Go (Regbook), with the packages in it (NAME=, YES=1, JUPYTER=, JUPYTER_DATA_DIR=)
.PHONY: kernel kernel-remove
NAME := regbook
JUPYTER := jupyter
kernel: tools
	@$(bin)/kernel install -name '$(NAME)' -jupyter '$(JUPYTER)' $(if $(YES),-yes)

## kernel-remove: take that kernel away (NAME=)
kernel-remove: tools
	@$(bin)/kernel remove -name '$(NAME)' -jupyter '$(JUPYTER)'

# Where programs that import the packages run; the first is tested, too, if
# Debian's qemu-user-static is here.
targets := linux/arm64 darwin/arm64 windows/amd64 linux/386 js/wasm
emulator := qemu-aarch64-static
kernels := cpu gram blocked tridiagonal lsq enumerate

## cross: build the packages for other systems and processors, and test the kernels on an emulated one
.PHONY: cross
cross: go
	@for target in $(targets); do echo "== $$target"; \
		GOOS=$${target%/*} GOARCH=$${target#*/} CGO_ENABLED=0 $(go_build) $$($(GO) list ./... | grep -v /internal/) || exit 1; done
	@if ! command -v $(emulator) >/dev/null; then echo "not tested: $(emulator) is missing (apt-get install qemu-user-static)"; exit; fi; \
		mkdir -p build && for room in $(kernels); do echo "== test $$room on linux/arm64"; \
		GOARCH=arm64 CGO_ENABLED=0 $(GO) test -c -o build/arm64.test ./mlreg/internal/$$room && \
		(cd mlreg/internal/$$room && $(emulator) $(CURDIR)/build/arm64.test -test.short) || exit 1; done; rm -f build/arm64.test

## clean: remove build/, which is all that these commands made
clean:
	@chmod -R u+w build 2>/dev/null; rm -rf build

## help: list these commands
help:
	@sed -n 's/^## \([a-z-]*\): \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
		while IFS='|' read -r target what; do printf '  make %-14s %s\n' "$$target" "$$what"; done

# What a command needs is found, or installed, before anything is compiled.
notebooks site site-test release: needs := jupyter xz
test-kernel regen test-portable course grade: needs := jupyter
lab: needs := notebook
test-race: needs := cc
go:
	@$(setup) go
	@$(if $(needs),$(setup) needs $(needs))

# The kernel and the other pinned programs, then nbrun, then a cell, so that no
# notebook has to wait for the compiler.
tools: $(bin)/.tools
	@$(go_build) -o $(bin)/nbrun.new.$$$$ ./internal/nbrun && mv -f $(bin)/nbrun.new.$$$$ $(bin)/nbrun
	@$(go_build) -o $(bin)/which.new.$$$$ ./internal/find/which && mv -f $(bin)/which.new.$$$$ $(bin)/which
	@$(bin)/nbrun kernel && $(bin)/kernel try build/jupyter/kernels/regbook

# Built elsewhere and moved, for two makes at once and for a kernel in use; and
# built again by another Go, since staticcheck refuses code newer than itself.
$(bin)/.tools: $(filter-out %_test.go,$(wildcard internal/tools/go.* internal/tools/*.sh internal/tools/gonb/* internal/tools/kernel/*.*)) $(bin)/.go
	@$(setup) modules
	@echo "building the kernel and the tools: two minutes the first time"
	@new="$$PWD/$(bin)/new.$$$$"; trap 'rm -rf "$$new" "$$new-src"' EXIT; trap 'exit 1' INT TERM; \
		GONB="$$PWD/$(bin)/gonb" internal/tools/build.sh "$$new" && mv -f "$$new"/* $(bin)/
	@touch $@

$(bin)/.go: go
	@mkdir -p $(bin) && $(GO) version | cmp -s - $@ || $(GO) version >$@

## bench: compare speed and memory with NumPy, scikit-learn, statsmodels and R; write build/bench.md; calls on many columns take linear time (SHORT=1: fewer runs; SEED=; ONLY=)
.PHONY: bench
bench: go
	@$(go_build) -o $(bin)/bench ./internal/bench && $(bin)/bench $(if $(SHORT),-rounds 1 -runs 3) $(if $(SEED),-seed $(SEED)) $(if $(ONLY),-only '$(ONLY)')
	@$(if $(ONLY),,$(GO) test -run '^$$' -bench '^BenchmarkMany$$' -benchtime 1x ./frames)

## bench-test: compare answers only, on small data: every row of make bench, with every peer that is here
.PHONY: bench-test
bench-test: go
	@$(go_build) -o $(bin)/bench ./internal/bench && $(bin)/bench -short -rounds 1 -runs 1 -dir build/bench-test -report build/bench-test.md

## engines-test: hold databases to what is computed in memory: DuckDB, PostgreSQL, MariaDB and a ClickHouse of two shards, started here and ended (needs cgo)
.PHONY: engines-test
engines-test: go
	@$(setup) cc
	@$(GO) vet -C frames/source/duckdb ./... && $(GO) vet -C internal/engines ./...
	@CGO_ENABLED=1 $(GO) test -C frames/source/duckdb ./...
	@mkdir -p build && { CGO_ENABLED=1 $(GO) test -C internal/engines -timeout 60m -v $(if $(RUN),-run '$(RUN)') ./... >build/engines.log; code=$$?; \
		grep -v -e '^=== ' -e '^ *--- PASS' build/engines.log; exit $$code; }

## engines-bench: time sums of tables by both routes and the one chosen; write build/engines.md (ROWS=10000000; SHORT=1: a tenth)
.PHONY: engines-bench
ROWS := 10000000
engines-bench: go
	@$(setup) cc
	@mkdir -p build && CGO_ENABLED=1 $(GO) run -C internal/engines ./bench -o $(CURDIR)/build/engines.md -rows $(if $(SHORT),1000000,$(ROWS)) && cat build/engines.md

## digits: count the correct digits on NIST's certified regressions, beside R, statsmodels and scikit-learn
.PHONY: digits
digits: go
	@$(GO) run -buildvcs=false ./internal/digits

## cells: show where the time of a notebook's cell goes, and hold what its program is linked of to budgets
.PHONY: cells
cells: tools
	@$(GO) run -buildvcs=false ./internal/cells -kernel build/jupyter/kernels/regbook

## differential: hold random cases to what R gives for them (SEED=, CASES=, CASE=seed/number, KIND=, STORE=1)
.PHONY: differential
differential: go
	@$(GO) run -buildvcs=false ./internal/differential $(if $(SEED),-seed $(SEED)) $(if $(CASES),-cases $(CASES)) \
		$(if $(CASE),-case $(CASE)) $(if $(KIND),-kind $(KIND)) $(if $(STORE),-store)

## invariance: fit random sets in forms that must not matter, and hold the fits to each other (SEED=, CASES=, CASE=seed/number, KIND=, STORE=1)
.PHONY: invariance
invariance: go
	@$(GO) run -buildvcs=false ./internal/invariance $(if $(SEED),-seed $(SEED)) $(if $(CASES),-cases $(CASES)) \
		$(if $(CASE),-case $(CASE)) $(if $(KIND),-kind '$(KIND)') $(if $(STORE),-store)

## certify-coverage: how often limits of CertifyModels miss what they hold, how wide they are, and the z-scores of their estimates (REPLICATIONS=10000)
.PHONY: certify-coverage
REPLICATIONS := 10000
certify-coverage: go
	@REGBOOK_CERTIFY=replications REGBOOK_CERTIFY_ARGS=$(REPLICATIONS) $(GO) test -count=1 -timeout 24h -v -run '^TestCoverage$$' ./mlreg/internal/certify

## docker: build the image, with JupyterLab, and the Go kernel in it (BASE=, CA=: see docker/build.sh)
.PHONY: docker docker-run docker-test browser-test e2e
docker:
	@docker/build.sh

## docker-run: start the image and print the address to open (MEMORY=, PIDS=, READ_ONLY=no, NETWORK=none, HOSTS=: see docker/run.sh)
docker-run:
	@docker/run.sh

## docker-test: run notebooks in the image, without a network, and check user, token and health
docker-test: e2e
	@docker/test.sh

## sbom: write what the image is made of, Debian's packages and Go modules, to build/sbom.json (CycloneDX; IMAGE=)
.PHONY: sbom audit
sbom: go
	@mkdir -p build && docker/sbom.sh >build/sbom.json.new && mv build/sbom.json.new build/sbom.json && echo build/sbom.json

## audit: hold the modules to their checksums, and look for known vulnerabilities in what is called of them
audit: go
	@$(GO) mod verify
	@echo "looking for known vulnerabilities in what is called"
	@if ! tool=$$(cd internal/tools && $(GO) mod download -json golang.org/x/vuln@v1.1.4 2>&1); then \
		echo "not looked for vulnerabilities: govulncheck cannot be fetched:"; echo "$$tool" | tail -3; exit; fi; \
	if ! out=$$(cd internal/tools && $(GO) run golang.org/x/vuln/cmd/govulncheck@v1.1.4 -C ../.. ./... 2>&1); then \
		case $$out in *"vuln.go.dev"*) echo "not looked for vulnerabilities: their database, vuln.go.dev, cannot be reached" ;; *) echo "$$out"; exit 1 ;; esac; \
		else echo "$$out"; fi

## browser-test: run notebooks in JupyterLab and classic Notebook, in a browser; screenshots go to build/browser
browser-test: e2e tools
	@cd internal/e2e && GOWORK=off $(GO) test ./...
	@internal/e2e/browser.sh

## site-test: move every live figure of the site and use its playground, in a browser; screenshots go to build/browser (ONLY=dragging; RECORD=README.md: write the times there)
.PHONY: site-test
site-test: e2e site
	@$(setup) chromium
	@$(go_build) -o $(bin)/engine ./internal/engine
	@$(bin)/e2e site -timeout 3h $(if $(ONLY),-only $(ONLY)) $(if $(RECORD),-record $(RECORD)) build/site

# Static: docker-test runs it in the container.
e2e: go
	@mkdir -p $(bin) && cd internal/e2e && CGO_ENABLED=0 GOWORK=off $(go_build) -trimpath -o ../../$(bin)/e2e .
