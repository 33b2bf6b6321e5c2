#!/bin/sh
# Writes to build/release what a person would push; "make release VERSION=v0.1.0" calls it, after "make site".
# Pushes nothing. In it are
#
#   site          for any static host, at its root or below a path: all links are relative
#   proxy         the module as a Go proxy has it, from which go get was tried in an empty folder
#   image.tar     the image, if docker is here
#   CHECKLIST.md  what to do, in order
set -eu

version=${1:-}
fail() { echo "release.sh: $*" >&2; exit 1; }
case $version in v[0-9]*.[0-9]*.[0-9]*) ;; *) fail "VERSION=$version: want v1.2.3" ;; esac
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed: a release is of a commit"
heading=$(sed -n 's/^## //p' CHANGELOG.md | head -1)
[ "$heading" = "$version" ] || fail "the first heading of CHANGELOG.md is \"$heading\": it has to be $version"

module=$(go list -m)
out=build/release
rm -rf "$out"
mkdir -p "$out"
cp -r build/site "$out/site"
: >"$out/site/.nojekyll" # hosts that would leave files out

# The module, without the folders that are modules of their own, as go get sees it.
proxy=$PWD/$out/proxy
versions=$proxy/$module/@v
mkdir -p "$versions"
others=$(git ls-files '*/go.mod' | sed 's|/go.mod$||; s|.*|:(exclude)&|')
(set -f; IFS='
'; git archive --format=zip --prefix="$module@$version/" -o "$versions/$version.zip" HEAD . $others)
git show HEAD:go.mod >"$versions/$version.mod"
printf '{"Version":"%s","Time":"%s"}\n' "$version" "$(git show -s --format=%cI HEAD)" >"$versions/$version.info"
echo "$version" >"$versions/list"

# An empty folder, and caches of its own, so that nothing of this clone is found.
empty=$(mktemp -d)
trap 'chmod -R u+w "$empty"; rm -rf "$empty"' EXIT
cat >"$empty/main.go" <<'GO'
package main

import (
	"fmt"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func main() {
	d, err := frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi")
	if err != nil {
		panic(err)
	}
	ols, err := mlreg.FitOLS(d, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(ols)
}
GO
before=$(go env GOPROXY)
fetched=$(go env GOMODCACHE)/cache/download # what this machine has of other modules
(
	cd "$empty"
	export GOPROXY="file://$proxy,file://$fetched,$before" GOMODCACHE="$empty/cache" GOSUMDB=off GOFLAGS=-mod=mod GOWORK=off
	go mod init try >/dev/null 2>&1
	go get "$module@$version" >get.log 2>&1 || { cat get.log; exit 1; }
	go run . >run.log 2>&1 || { cat run.log; exit 1; }
	grep -q 'OLS fit of lpsa' run.log || { cat run.log; exit 1; }
) || fail "go get of the module does not work"
echo "go get $module@$version works in an empty folder"

if command -v docker >/dev/null && docker info >/dev/null 2>&1 && docker/build.sh && docker save -o "$out/image.tar" "${IMAGE:-regbook}"; then
	image="image.tar: docker load -i image.tar; docker tag regbook REGISTRY/regbook:$version; docker push REGISTRY/regbook:$version"
else
	image="the image was not built here: make docker, where docker and a base image are"
	echo "$image"
fi

cat >"$out/CHECKLIST.md" <<END
# Release $version

- [ ] make soak, make test-race, make cross, make audit passed on this commit, $(git rev-parse HEAD)
- [ ] git tag -a $version -m "Regbook $version" && git push origin $version
- [ ] modules of their own that a user requires, after that tag:
$(git ls-files 'frames/*/go.mod' 'frames/*/*/go.mod' | sed "s|/go.mod\$||; s|.*|      git tag &/$version|" | sort -u)
- [ ] GOPROXY=https://proxy.golang.org go list -m $module@$version
- [ ] site/ to the static host; open its first page, search for "missing data", fit a CSV file in the playground
- [ ] $image
- [ ] a new heading "## Unreleased" in CHANGELOG.md
END
echo "$out has what to push; $out/CHECKLIST.md says how"
