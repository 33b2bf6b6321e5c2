#!/bin/sh
# Makes a stand-in for the public image golang:1.26-trixie, for machines that
# reach Debian's packages but no container registry:
#
#   sudo docker/base.sh
#   make docker BASE=regbook-base
#
# It holds Debian trixie by debootstrap, the packages of the public image that
# a Go program needs, and the Go toolchain of this machine at /usr/local/go.
# Needs root, docker and debootstrap, which is installed where apt-get can.
#
# Settings, from the environment: TAG (regbook-base), SUITE (trixie),
# MIRROR (the archive of Debian that apt is set to, otherwise debootstrap's default), and
# KEYRING, the keys that the archive must be signed with (those of debian-archive-keyring).
set -eu

TAG=${TAG:-regbook-base}
SUITE=${SUITE:-trixie}

fail() { echo "base.sh: $*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail "debootstrap needs root: run it with sudo"
command -v docker >/dev/null || fail "no docker command on PATH"
goroot=$(go env GOROOT) || fail "no go command on PATH (sudo may have dropped it: sudo env PATH=\"\$PATH\" docker/base.sh)"
command -v debootstrap >/dev/null || apt-get -qq install -y --no-install-recommends debootstrap >/dev/null ||
	fail "debootstrap is missing, and apt-get cannot install it"

# An archive whose signature is not that of Debian's keys is refused.
KEYRING=${KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}
[ -s "$KEYRING" ] || apt-get -qq install -y --no-install-recommends debian-archive-keyring gpgv >/dev/null || :
[ -s "$KEYRING" ] || fail "no keyring $KEYRING, by which the archive is verified: install debian-archive-keyring, or set KEYRING"
command -v gpgv >/dev/null || apt-get -qq install -y --no-install-recommends gpgv >/dev/null || fail "gpgv is missing, and apt-get cannot install it"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
root=$dir/root

# shellcheck disable=SC2016 # for apt-get
MIRROR=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' 2>/dev/null | head -1)}
echo "base.sh: Debian $SUITE from ${MIRROR:-the archive that debootstrap takes}"
debootstrap --force-check-gpg --keyring="$KEYRING" --variant=minbase --include=ca-certificates,gcc,git,libc6-dev,make,pkg-config \
	"$SUITE" "$root" ${MIRROR:+"$MIRROR"} >"$dir/log" 2>&1 || { tail -20 "$dir/log" >&2; fail "debootstrap failed"; }
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/*
: >"$root/etc/resolv.conf"
echo "localhost" >"$root/etc/hostname"

echo "base.sh: $(GOTOOLCHAIN=local go version) from $goroot"
cp -a "$goroot" "$root/usr/local/go"
mkdir -p "$root/go/src" "$root/go/bin"
chmod -R 1777 "$root/go"

tar -C "$root" -c . | docker import \
	--change 'ENV GOTOOLCHAIN=local GOPATH=/go PATH=/go/bin:/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
	--change 'WORKDIR /go' --change 'CMD ["bash"]' - "$TAG" >/dev/null
docker image inspect --format "base.sh: made $TAG, {{.Size}} bytes" "$TAG"
