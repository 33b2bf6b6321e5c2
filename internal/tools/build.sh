#!/bin/sh
# Builds the kernel and the other programs that go.mod here pins, into a folder:
#
#   internal/tools/build.sh DIR [PACKAGE...]
#
# GoNB is built with the patches in gonb/, each of which says at its top what it is for.
set -eu

cd "$(dirname "$0")"
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- tool ./kernel

export GOWORK=off
gonb=$(go list -m -f '{{.Dir}}' github.com/janpfeifer/gonb)
patches=$PWD
tmp=$out-src
rm -rf "$tmp"
mkdir -p "$tmp"
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
src=$tmp/gonb
if [ -n "${GONB:-}" ]; then # a folder that stays, since the compiler keeps what it compiled by its name
	src=$GONB-$(cat gonb/*.patch go.mod go.sum | git -C / hash-object --stdin)
fi
if [ ! -e "$src" ]; then
	mkdir "$tmp/patched"
	for part in "$gonb"/*; do
		case $part in */docs|*/examples) ;; *) cp -R "$part" "$tmp/patched/" && chmod -R u+w "$tmp/patched" ;; esac
	done
	(cd "$tmp/patched" && GIT_CEILING_DIRECTORIES=$tmp git apply "$patches"/gonb/*.patch)
	mv "$tmp/patched" "$src"
fi
cp go.mod go.sum "$tmp/"
go mod edit -replace "github.com/janpfeifer/gonb=$src" "$tmp/go.mod"
go build -buildvcs=false -modfile="$tmp/go.mod" -o "$out/" "$@"
