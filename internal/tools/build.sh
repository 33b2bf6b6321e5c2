#!/bin/sh
# Builds the kernel and the other programs that go.mod here pins, into a folder:
#
#   internal/tools/build.sh DIR [PACKAGE...]
#
# GoNB is built with gonb.patch: a cell computes what it uses of earlier cells
# only, the first completion does not wait 12 seconds for gopls, and offers names
# while the first cell is written, and a name that ends in a point is completed.
# linker.sh adds its linker.
set -eu

cd "$(dirname "$0")"
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- tool ./kernel

export GOWORK=off
gonb=$(go list -m -f '{{.Dir}}' github.com/janpfeifer/gonb)
patches=$PWD
src=$out-src
trap 'rm -rf "$out-src"' EXIT
trap 'exit 1' INT TERM
if [ -n "${GONB:-}" ]; then # a folder that stays, since the compiler keeps what it compiled by its name
	src=$GONB-$(cat gonb.patch go.mod | cksum | cut -d ' ' -f 1)
fi
if [ ! -e "$src" ]; then
	rm -rf "$out-src"
	mkdir -p "$out-src/gonb"
	for part in "$gonb"/*; do
		case $part in */docs|*/examples) ;; *) cp -R "$part" "$out-src/gonb/" && chmod -R u+w "$out-src/gonb" ;; esac
	done
	(cd "$out-src/gonb" && GIT_CEILING_DIRECTORIES=$out-src git apply "$patches/gonb.patch")
	cp go.mod go.sum "$out-src/"
	go mod edit -replace "github.com/janpfeifer/gonb=$src/gonb" "$out-src/go.mod"
	[ "$src" = "$out-src" ] || mv "$out-src" "$src"
fi
go build -buildvcs=false -modfile="$src/go.mod" -o "$out/" "$@"

"$patches/linker.sh" "$out" || true # a kernel without it works, too
