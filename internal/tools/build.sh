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
src=$out-src
rm -rf "$src"
trap 'rm -rf "$src"' EXIT
trap 'exit 1' INT TERM
mkdir -p "$src/gonb"
for part in "$gonb"/*; do
	case $part in */docs|*/examples) ;; *) cp -R "$part" "$src/gonb/" && chmod -R u+w "$src/gonb" ;; esac
done
patches=$PWD
(cd "$src/gonb" && GIT_CEILING_DIRECTORIES=$src git apply "$patches/gonb.patch")
cp go.mod go.sum "$src/"
go mod edit -replace "github.com/janpfeifer/gonb=$src/gonb" "$src/go.mod"
# -trimpath: what was compiled before is kept, whatever the folder.
go build -trimpath -buildvcs=false -modfile="$src/go.mod" -o "$out/" "$@"

"$patches/linker.sh" "$out" || true # a kernel without it works, too
