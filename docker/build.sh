#!/bin/sh
# Builds the image; "make docker" calls it. Settings, from the environment:
#
#   IMAGE  the name of the image (regbook)
#   BASE   the image it is built on (golang:1.26-trixie); with a digest, as
#          golang@sha256:..., it is the same one again, and the digest used is
#          printed, and kept in the image's labels for "make sbom"
#   CA     file with the certificate of a proxy that inspects TLS, if there is
#          one; the build sees it as a secret, and the image does not hold it
#
# Runs in the project's root.
set -eu

IMAGE=${IMAGE:-regbook}
BASE=${BASE:-golang:1.26-trixie}
CA=${CA:-}

fail() { echo "docker/build.sh: $*" >&2; exit 1; }

internal/tools/setup.sh docker
[ -z "$CA" ] || [ -s "$CA" ] || fail "CA=$CA is not a file with certificates"

# buildkit runs the first docker command that can build with BuildKit: with the
# plugin buildx, or with what versions before 23 have in them.
buildkit() {
	for docker in $(which -a docker); do
		if "$docker" buildx version >/dev/null 2>&1; then
			exec "$docker" buildx build --load "$@"
		fi
		major=$("$docker" version --format '{{.Client.Version}}' | cut -d. -f1)
		if [ "$major" -lt 23 ]; then
			DOCKER_BUILDKIT=1 exec "$docker" build "$@"
		fi
	done
	fail "docker cannot build with BuildKit: install its plugin (Debian's package docker-buildx, docker.com's docker-buildx-plugin)"
}

if ! docker image inspect "$BASE" >/dev/null 2>&1 && ! docker pull --quiet "$BASE"; then
	fail "no image $BASE here, and no registry to take it from. Debian's packages are enough to make one:
    sudo docker/base.sh
    make docker BASE=regbook-base"
fi
# Of an image that came from no registry, its own hash.
digest=$(docker image inspect --format '{{if .RepoDigests}}{{index .RepoDigests 0}}{{else}}{{.Id}}{{end}}' "$BASE")
echo "the base $BASE is $digest"
set -- --label "org.opencontainers.image.base.name=$BASE" --label "org.opencontainers.image.base.digest=${digest#*@}"
if [ -n "$CA" ]; then set -- "$@" --secret "id=ca,src=$CA"; fi
(buildkit --file docker/Dockerfile --build-arg "BASE=$BASE" --tag "$IMAGE" "$@" .)
docker image inspect --format '{{.RepoTags}} {{.Size}}' "$IMAGE" | awk '{printf "%s is %.2f GB\n", $1, $2 / 1e9}'
