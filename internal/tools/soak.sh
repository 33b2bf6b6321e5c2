#!/bin/sh
# Runs "make test" in a fresh clone of HEAD, with nothing compiled, in one environment
# or in all in turn; "make soak" calls it. What passes in all does not depend on the machine:
#
#   idle       as make is called (leave the machine alone meanwhile)
#   busy       beside two busy loops for every processor
#   one        on one processor (taskset)
#   elsewhere  with another TMPDIR and HOME, caches of Go included, and umask 077
#   user       in a path with a space and an umlaut, by a user who is not root and may install
#              nothing. Root makes that user and removes it.
#
# Each run is a line of build/soak.md, and has its output in build/soak. What has passed for
# this commit is not run again, unless AGAIN=1. Runs in the project's root.
set -eu

say() { echo "soak: $*" >&2; }
fail() { say "$*"; exit 1; }

table=$PWD/build/soak.md
commit=$(git rev-parse --short=10 HEAD)
account=regbook-soak
# What an outer make, and the caller's Go, would have the inner one do otherwise.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES ENV GOFLAGS GOCACHE GOPATH INSTALL NOTEBOOKS GOGC

root= made=
clean() {
	[ -z "$made" ] || userdel -f "$account" >/dev/null 2>&1 || :
	[ -z "$root" ] || { chmod -R u+w "$root"; rm -rf "$root"; }
	root= made=
}
trap clean EXIT
trap 'exit 1' INT TERM

# busy_loops starts loops that end with this script, however it ends.
busy_loops() {
	for _ in $(seq $((2 * $(nproc)))); do
		while kill -0 $$ 2>/dev/null && [ -e "$root/busy" ]; do :; done >/dev/null 2>&1 &
	done
}

# modules has Go take what it has fetched before from this machine, not from the network.
modules() {
	mkdir -p "$root/modules"
	cp -R "$1/cache/download/." "$root/modules/" 2>/dev/null || :
	export GOPROXY="file://$root/modules,$(go env GOPROXY)"
	unset GOMODCACHE
}

# test_in runs make test in a clone, in an environment.
test_in() {
	case $1 in
	idle) make test ;;
	busy) : >"$root/busy"; busy_loops; make test ;;
	one) taskset -c 0 make test ;;
	elsewhere)
		modules "$(go env GOMODCACHE)"
		mkdir "$root/home" "$root/tmp"
		unset XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME GOCACHE
		HOME=$root/home TMPDIR=$root/tmp make test ;;
	user)
		modules "$(go env GOMODCACHE)"
		mkdir "$root/home"
		unset XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR GOCACHE TMPDIR
		as=
		if [ "$(id -u)" = 0 ]; then
			chown -R "$account:" "$root"
			as="setpriv --reuid=$account --regid=$account --clear-groups --no-new-privs"
			PATH=$(dirname "$(command -v go)"):/usr/local/bin:/usr/bin:/bin
			export USER=$account LOGNAME=$account
		fi
		HOME=$root/home INSTALL=no $as make test ;;
	esac
}

# stamp puts the time before each line.
stamp() {
	while IFS= read -r line; do printf '%s %s\n' "$(date +%H:%M:%S)" "$line"; done
}

# first_failure names what failed first: a test by the command that repeats it.
first_failure() {
	cut -c10- "$1" >"$1.text"
	{ sed -n '/^failed, and the command/{n;p;q;}' "$1.text"; grep -m1 -E '^(error|FAIL|nbrun|gotest)|: error|\*\*\*' "$1.text" || :; tail -1 "$1.text"; } |
		grep -m1 . | tr '|' '/' | cut -c1-200
	rm -f "$1.text"
}

soak() {
	if [ -z "${AGAIN:-}" ] && grep -q "^| $1 | $commit | .* | passed |" "$table"; then
		say "$1 has passed for $commit: AGAIN=1 runs it again"
		return
	fi
	root=$(cd "$(mktemp -d "${TMPDIR:-/tmp}/regbook-soak.XXXXXX")" && pwd -P)
	clone=$root/regbook
	if [ "$1" = user ]; then
		chmod 755 "$root"
		clone="$root/ein Pfad ü/regbook"
		if [ "$(id -u)" = 0 ]; then
			useradd --system --user-group --no-create-home --home-dir "$root/home" --shell /bin/sh "$account" || fail "no user $account could be made"
			made=yes
		fi
	fi
	log=$PWD/build/soak/$1.log
	processors=$(nproc)
	[ "$1" != one ] || processors=1
	say "$1: make test of $commit; its output goes to $log"
	start=$(date +%s)
	(
		[ "$1" != elsewhere ] || umask 077
		export GOCACHE="$root/cache"
		git clone -q --no-hardlinks . "$clone" && cd "$clone" && git checkout -q --detach "$commit" && test_in "$1" && : >"$root/passed"
	) 2>&1 </dev/null | stamp >"$log"
	minutes=$(awk "BEGIN { printf \"%.1f\", ($(date +%s) - $start) / 60 }")
	verdict=passed first=
	[ -e "$root/passed" ] || { verdict=failed; first=$(first_failure "$log"); failed=yes; }
	echo "| $1 | $commit | $(date -u '+%Y-%m-%d %H:%M') | $processors | $minutes | $verdict | $first |" | tee -a "$table"
	grep ' == ' "$log" >&2 || :
	rm -f "$root/busy"
	clean
}

all="idle busy one elsewhere user"
environments=${1:-$all}
for e in $environments; do
	case " $all " in *" $e "*) ;; *) fail "no environment $e: ENV is one of $all" ;; esac
done
mkdir -p build/soak
[ -e "$table" ] || printf '%s\n' '| environment | commit | date (UTC) | processors | minutes | verdict | first failure |' '|--|--|--|--:|--:|--|--|' >"$table"
git diff --quiet HEAD || say "what is not committed is not tested"
failed=
for e in $environments; do soak "$e"; done
[ -z "$failed" ]
