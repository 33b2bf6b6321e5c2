#!/bin/sh
# Finds or installs what the Makefile needs beside Go, and says where it is.
#
#   setup.sh go        fails if the Go command is missing or too old, or if the
#                      build cannot be written
#   setup.sh modules   fails if Go cannot fetch modules
#   setup.sh needs WHAT...  before anything is compiled: all of jupyter, notebook, cc and xz
#                      that a command needs; names at once all that cannot be had
#   setup.sh cc        a C compiler, which go test -race needs
#   setup.sh jupyter   Jupyter with nbclient and nbconvert; prints the name of the program
#   setup.sh notebook  the same, with JupyterLab or Jupyter Notebook in it
#   setup.sh classic   the same, with Jupyter Notebook in it
#   setup.sh chromium  Chromium or Chrome
#   setup.sh docker IMAGE  fails if docker or, where it is named, the image is missing
#
# What is on PATH is used as it is. Otherwise Debian's packages are installed,
# given apt-get and either root or sudo; otherwise Jupyter goes into a Python
# environment of the project's own, build/venv. Where there is a Jupyter, "needs" installs
# nothing, and with INSTALL=no nothing does: what is missing is named. Runs in the project's root.

say() { echo "$*" >&2; }
fail() { say "error: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# as_root runs a command as root, or fails without asking where nobody can answer.
as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"
	elif have sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then sudo "$@"
	else return 1
	fi
}

# debian installs packages.
debian() {
	if [ "${INSTALL:-}" = no ]; then
		say "INSTALL=no: not installed: $*"
		return 1
	fi
	have apt-get && as_root true || return 1
	say "installing Debian packages: $*"
	as_root apt-get -qq update >&2 &&
		as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends "$@" </dev/null >&2
}

# venv installs internal/tools/requirements.txt into build/venv.
venv() {
	[ "${INSTALL:-}" != no ] || return 1
	have python3 || return 1
	say "no Jupyter on PATH: installing one into build/venv, from the Python package index
(on Debian and Ubuntu, root can install it instead: apt-get install $jupyter_packages)"
	mkdir -p build &&
		python3 -m venv --clear build/venv >&2 &&
		build/venv/bin/python -m pip install --quiet -r internal/tools/requirements.txt >&2 &&
		touch build/venv/complete
}

# writable makes a folder, and fails with a remedy if it cannot be written.
writable() {
	mkdir -p "$1" 2>/dev/null
	[ -w "$1" ] || fail "$(id -un) cannot write to ${1:-the cache of Go, for want of HOME}: $2"
}

# find_jupyter prints the program that runs all of the given subcommands.
find_jupyter() {
	for program in build/venv/bin/jupyter jupyter; do
		[ "$program" = jupyter ] || [ -e build/venv/complete ] || continue
		have "$program" || continue
		for sub; do
			"$program" "$sub" --version >/dev/null 2>&1 || continue 2
		done
		case $program in
		*/*) echo "$PWD/$program" ;;
		*) command -v "$program" ;;
		esac
		return
	done
	return 1
}

# find_server does so for what make lab opens.
find_server() { find_jupyter lab nbconvert || find_jupyter notebook nbconvert; }

jupyter_packages="jupyter-notebook jupyter-nbconvert python3-nbclient libjs-mathjax"

# install_jupyter calls a finder, installs Jupyter if that finds nothing, and
# calls it again.
install_jupyter() {
	"$@" && return
	# shellcheck disable=SC2086 # a list
	debian $jupyter_packages
	"$@" && return
	venv
	"$@" && return
	fail "no Jupyter with nbclient and nbconvert, and no way found to install it. Either
$(jupyter_remedies " $jupyter_packages")
and run make again."
}

jupyter_remedies() {
	echo "  - on Debian or Ubuntu, as root: apt-get install$1
  - or put another Jupyter with nbclient and nbconvert on PATH, say by: brew install jupyterlab
  - or install python3 with its venv module, and let make reach the Python package index"
}

# look sets no_jupyter, others (what else is missing of the arguments) and the packages of both,
# and tells if something is missing.
look() {
	no_jupyter="" others="" packages=""
	for what; do
		case $what in
		jupyter) find_jupyter execute nbconvert >/dev/null || no_jupyter=yes ;;
		notebook) find_server >/dev/null || no_jupyter=yes ;;
		cc) have "$(go env CC)" || { others="$others
  - a C compiler, $(go env CC), which go test -race needs"; packages="$packages gcc libc6-dev"; } ;;
		xz) have xz || { others="$others
  - xz, which packs what the site's figures compute with"; packages="$packages xz-utils"; } ;;
		*) fail "setup.sh needs: $what is not known" ;;
		esac
	done
	[ -z "$no_jupyter" ] || packages="$packages $jupyter_packages"
	[ -n "$no_jupyter$others" ]
}

# needs installs what is missing if Jupyter is, and fails if something still is.
needs() {
	look "$@" || return 0
	if [ -n "$no_jupyter" ]; then
		# shellcheck disable=SC2086 # a list
		debian $packages && { look "$@" || return 0; }
		[ -n "$others" ] || venv && { look "$@" || return 0; }
	fi
	others="missing:${no_jupyter:+
  - Jupyter with nbclient and nbconvert}$others"
	[ -n "$no_jupyter" ] || fail "$others
On Debian or Ubuntu root gets it by: apt-get install$packages"
	fail "$others
Either
$(jupyter_remedies "$packages")
and run make again."
}

case $1 in
go)
	have go || fail "no go command on PATH: install Go 1.25 or later, see https://go.dev/dl"
	version=$(cd internal/tools && go env GOVERSION 2>&1) || fail "Regbook's tools want Go 1.25 or later: $version"
	case $version in
	go1.?|go1.?.*|go1.1?|go1.1?.*|go1.2[0-4]|go1.2[0-4][.r]*)
		fail "Regbook's tools want Go 1.25 or later, this is $version: see https://go.dev/dl" ;;
	esac
	have git || fail "no git on PATH, by which the kernel is patched and files are compared"
	case $PWD in *:*) fail "a colon in the path of this clone would divide PATH: $PWD" ;; esac
	writable "$(go env GOCACHE | grep /)" "set HOME, or GOCACHE and GOPATH, to folders of your own"
	for dir in build build/*/; do
		case $dir in *\*/) continue ;; esac
		writable "$dir" "work in a clone of your own, or take this one over: sudo chown -R $(id -un) '$PWD'"
	done ;;
modules)
	(cd internal/tools && GOWORK=off go mod download github.com/janpfeifer/gonb) ||
		fail "Go cannot fetch modules by GOPROXY=$(go env GOPROXY). It has to, once; a proxy on the way is named by
HTTPS_PROXY, and the certificate of one that inspects TLS by SSL_CERT_FILE" ;;
needs) shift; needs "$@" ;;
cc)
	have "$(go env CC)" || debian gcc libc6-dev || fail "go test -race needs a C compiler, and $(go env CC) is not on PATH" ;;
jupyter) install_jupyter find_jupyter execute nbconvert ;;
notebook) install_jupyter find_server ;;
classic) install_jupyter find_jupyter notebook nbconvert ;;
chromium)
	for program in chromium chromium-browser google-chrome google-chrome-stable headless-shell; do
		have "$program" && exit
	done
	debian chromium || fail "no Chromium or Chrome on PATH, and no way found to install it" ;;
docker)
	have docker || fail "no docker command on PATH: see https://docs.docker.com/engine/install"
	error=$(docker version 2>&1 >/dev/null) || case $error in
	*"permission denied"*) fail "$error
$(id -un) may not use docker: sudo usermod -aG docker $(id -un), and log in again" ;;
	*) fail "$error
Docker's engine has to run: sudo systemctl start docker, or start Docker Desktop" ;;
	esac
	[ -z "$2" ] || docker image inspect "$2" >/dev/null 2>&1 || fail "no image $2: make docker builds it" ;;
*) fail "usage: setup.sh go|modules|needs|cc|jupyter|notebook|classic|chromium|docker" ;;
esac
