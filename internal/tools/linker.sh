#!/bin/sh
# Builds Go's linker with link.patch, by which it can load packages before there
# is a program (kernel/ahead.go), as regbook-linker into a folder:
#
#   internal/tools/linker.sh DIR
#
# Fails, and says so, if the linker of this Go is not the one that the patch is for.
set -eu

patch=$(cd "$(dirname "$0")" && pwd)/link.patch
mkdir -p "$1"
out=$(cd "$1" && pwd)
root=$(go env GOROOT)/src/cmd/link
src=$(mktemp -d)
trap 'rm -rf "$src"' EXIT
trap 'exit 1' INT TERM

for file in $(sed -n 's|^+++ b/||p' "$patch"); do
	mkdir -p "$src/$(dirname "$file")"
	[ ! -e "$root/$file" ] || cp "$root/$file" "$src/$file"
	echo "\"$root/$file\": \"$src/$file\""
done | paste -s -d , - | sed 's/.*/{"Replace": {&}}/' >"$src/overlay.json"
if ! (cd "$src" && GIT_CEILING_DIRECTORIES=$(dirname "$src") git apply "$patch"); then
	echo "link.patch is not for the linker of $(go env GOVERSION): cells are linked by that, in more time" >&2
	exit 1
fi
GOWORK=off go build -buildvcs=false -ldflags='-s -w' -overlay "$src/overlay.json" -o "$out/regbook-linker" cmd/link
