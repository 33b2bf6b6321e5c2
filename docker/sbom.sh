#!/bin/sh
# Writes what the image is made of, a CycloneDX 1.5 bill of materials, to standard output;
# "make sbom" calls it. It holds Debian's packages, by dpkg, the modules that the programs
# in it were linked of, by Go's build information, the modules that cells compile, Go, and the
# image that it was built on, with its digest.
# Settings, from the environment: IMAGE (regbook).
set -eu

IMAGE=${IMAGE:-regbook}
fail() { echo "docker/sbom.sh: $*" >&2; exit 1; }
inside() {
	if [ "$IMAGE" = . ]; then sh -c "$1"; else docker run --rm --network none --entrypoint sh "$IMAGE" -c "$1"; fi
}
[ "$IMAGE" = . ] || internal/tools/setup.sh docker "$IMAGE" # IMAGE=. is this machine, to try it

# Lines of a kind, a name and a version.
# shellcheck disable=SC2016 # for the shell in the container
list=$(inside '
	dpkg-query -W -f "deb \${Package} \${Version}\n"
	sed "s/^/deb /" /usr/share/jupyter/lab/debian-version 2>/dev/null || : # which dpkg did not install
	for program in /opt/regbook/bin/* build/bin/*; do
		[ ! -x "$program" ] || go version -m "$program" 2>/dev/null
	done | awk "\$1 == \"dep\" || \$1 == \"mod\" { print \"golang\", \$2, \$3 }"
	go list -m -f "golang {{.Path}} {{.Version}}" all
	go version | awk "{ sub(/^go/, \"\", \$3); print \"generic\", \"go\", \$3 }"') || fail "the image cannot be asked"
label() { docker image inspect --format "{{index .Config.Labels \"org.opencontainers.image.base.$1\"}}" "$IMAGE"; }
[ "$IMAGE" = . ] || list=$(printf '%s\noci %s %s' "$list" "$(label name)" "$(label digest)")
echo "$list" | awk 'NF == 3 && $3 != "(devel)"' | LC_ALL=C sort -u | awk '
	BEGIN { printf "{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n  \"components\": [" }
	{
		type = "library"; path = $1 "/" $2; version = $3
		if ($1 == "deb") path = "deb/debian/" $2
		if ($1 == "oci") { # the purl has the last part of the name, without a tag
			type = "container"; path = $2
			sub(/@.*/, "", path); sub(/.*\//, "", path); sub(/:.*/, "", path)
			path = "oci/" path; sub(/:/, "%3A", version)
		}
		printf "%s\n    {\"type\": \"%s\", \"name\": \"%s\", \"version\": \"%s\", \"purl\": \"pkg:%s@%s\"}", (NR > 1 ? "," : ""), type, $2, $3, path, version
	}
	END { printf "\n  ]\n}\n"; if (NR == 0) exit 1 }'
