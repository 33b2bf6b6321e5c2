#!/bin/sh
# Tests the image, with its networking off; "make docker-test" calls it. The
# settings are those of docker/build.sh; with BASE and CA the image is searched
# for the certificates that the build was given. FIRST (5m) is the longest time
# for a first cell: 3s holds on an idle machine. Runs in the project's root.
set -eu

IMAGE=${IMAGE:-regbook}
BASE=${BASE:-golang:1.26-trixie}
CA=${CA:-}
FIRST=${FIRST:-5m}
NAME=regbook-test-$$
TMP=$(mktemp -d)

ok() { echo "ok  $*"; }
fail() { echo "FAIL $*" >&2; docker logs --tail 20 "$NAME" >&2 2>/dev/null || :; exit 1; }
in_container() { docker exec "$NAME" "$@"; }
clean() {
	docker rm --force --volumes "$NAME" >/dev/null 2>&1 || :
	docker volume rm "$NAME" >/dev/null 2>&1 || :
	rm -rf "$TMP"
}
trap clean EXIT
trap 'exit 1' INT TERM

# start runs the container on a volume, and waits until it is healthy.
start() {
	docker run --detach --init --network none --memory "${MEMORY:-4g}" --pids-limit "${PIDS:-4096}" --name "$NAME" \
		--cap-drop ALL --security-opt no-new-privileges --read-only --tmpfs /tmp:exec,mode=1777 --tmpfs /run --volume /home/student --volume "$NAME:/home/student/regbook/work" \
		--volume "$PWD/build/bin/e2e:/e2e:ro" --volume "$PWD/notebooks:/notebooks:ro" --volume "$PWD/internal/e2e:/live:ro" \
		"$IMAGE" >/dev/null
	i=0
	until [ "$(docker inspect --format '{{.State.Health.Status}}' "$NAME")" = healthy ]; do
		i=$((i + 1))
		if [ $i -gt 600 ] || [ "$(docker inspect --format '{{.State.Running}}' "$NAME")" = false ]; then fail "the container is not healthy"; fi
		sleep 1
	done
}

internal/tools/setup.sh docker "$IMAGE"
start
ok "healthy"
[ "$(in_container id -u)" = 1000 ] || fail "user $(in_container id)"
ok "user $(in_container id -un)"
if in_container sh -c 'touch /usr/x /opt/regbook/x /etc/x' 2>/dev/null; then fail "the user may write to the system"; fi
for folder in / /usr /etc /opt /var/tmp; do
	if docker exec --user 0 "$NAME" touch "$folder/x" 2>/dev/null; then fail "the image can be written to: $folder"; fi
done
ok "read-only, but for /tmp, /run, the home folder and the volume"

# The status of a request that carries a Host.
status() {
	in_container python3 -c 'import http.client, sys
c = http.client.HTTPConnection("127.0.0.1", 8888, timeout=300)
c.request("GET", "/api", headers={"Host": sys.argv[1]})
print(c.getresponse().status)' "$1"
}
for host in 127.0.0.1:8888 localhost:8888 "[::1]:8888"; do
	[ "$(status "$host")" = 200 ] || fail "a request to $host is answered $(status "$host")"
done
for host in evil.example evil.example:8888 localhost.evil.example 10.0.0.1:8888; do
	[ "$(status "$host")" = 403 ] || fail "a request to the Host $host is answered $(status "$host")"
done
ok "requests to other Hosts are refused"

address=$(docker logs "$NAME" 2>&1 | sed -n 's|.*\(http://127[^ ]*token=[0-9a-f]*\).*|\1|p' | tail -1)
[ -n "$address" ] || fail "no address with a token in the log"
in_container /e2e api -first "$FIRST" -url "$address" /live/live.ipynb /notebooks/01_least_squares_geometry.ipynb || fail "notebooks in the server"
ok "notebooks run, offline and with the token only"
# shellcheck disable=SC2016 # for the shell in the container
in_container sh -c 'test -z "$(ls -A /tmp/warm 2>/dev/null)$(env | grep -iE "token|secret|_proxy")"' || fail "traces of the build"

# What the reader changes outlives the container; what is unchanged is renewed.
work=/home/student/regbook/work
in_container sh -c "cd $work && echo mine >mine.ipynb && echo changed >01_least_squares_geometry.ipynb"
docker rm --force --volumes "$NAME" >/dev/null
start
[ "$(in_container sh -c "cd $work && cat mine.ipynb 01_least_squares_geometry.ipynb")" = "mine
changed" ] || fail "the reader's work is lost"
in_container sh -c "cd $work && echo older >01_least_squares_geometry.ipynb && echo \"\$(sha256sum <01_least_squares_geometry.ipynb | cut -d' ' -f1)  01_least_squares_geometry.ipynb\" >>.course"
docker rm --force --volumes "$NAME" >/dev/null
start
in_container sh -c "cd $work && cmp -s 01_least_squares_geometry.ipynb ../notebooks/01_least_squares_geometry.ipynb" || fail "an older notebook is not renewed"
ok "the volume keeps the reader's work"

# A server that hangs is not healthy, though its port takes connections.
# shellcheck disable=SC2016 # for the shell in the container
in_container sh -c 'for p in /proc/[0-9]*; do [ "${p#/proc/}" != $$ ] || continue; case "$(tr "\\0" " " <"$p/cmdline")" in *jupyter-lab*|*jupyter-notebook*) kill -STOP "${p#/proc/}" ;; esac; done'
i=0
until [ "$(docker inspect --format '{{.State.Health.Status}}' "$NAME")" = unhealthy ]; do
	i=$((i + 1))
	[ $i -lt 600 ] || fail "a server that is stopped counts as healthy"
	sleep 1
done
ok "a server that hangs is not healthy"

# The builder's certificates: those in CA that the base does not have.
if [ -n "$CA" ]; then
	lines() { grep -A2 'BEGIN CERT' | grep -v -e CERT -e '^--' | awk 'NR % 2 == 0' | sort -u; }
	lines <"$CA" >"$TMP/ca"
	docker run --rm --network none --entrypoint cat "$BASE" /etc/ssl/certs/ca-certificates.crt | lines >"$TMP/base"
	comm -23 "$TMP/ca" "$TMP/base" >"$TMP/own"
	[ -s "$TMP/own" ] || fail "CA=$CA has no certificate that $BASE does not have"
	docker export "$NAME" >"$TMP/image.tar"
	if grep -aqFf "$TMP/own" "$TMP/image.tar"; then fail "the image holds a certificate of $CA"; fi
	ok "no certificate of the $(wc -l <"$TMP/own") that only the builder has"
fi
if docker history --no-trunc --format '{{.CreatedBy}}' "$IMAGE" | grep -qiE 'token=|BEGIN CERT'; then fail "a secret in the image's history"; fi
docker image inspect --format '{{.Size}}' "$IMAGE" | awk '{printf "ok  %.2f GB\n", $1 / 1e9}'
