#!/bin/sh
# Runs notebooks in JupyterLab, from the image, and in classic Notebook, from
# this machine, in headless Chromium; "make browser-test" calls it.
# Screenshots are kept in build/browser. Settings, from the environment:
# IMAGE (regbook), and NOTEBOOKS, the files to run (01 and live.ipynb). Runs in
# the project's root.
set -eu

IMAGE=${IMAGE:-regbook}
NOTEBOOKS=${NOTEBOOKS:-notebooks/01_least_squares_geometry.ipynb internal/e2e/live.ipynb}
NAME=regbook-browser-$$
TMP=$(mktemp -d)
server=

fail() { echo "browser.sh: $*" >&2; exit 1; }
clean() {
	docker rm --force --volumes "$NAME" >/dev/null 2>&1 || :
	[ -z "$server" ] || kill "$server" 2>/dev/null || :
	rm -rf "$TMP"
}
trap clean EXIT
trap 'exit 1' INT TERM

# address waits for a server to print its address, and prints that.
address() {
	for _ in $(seq 120); do
		found=$("$@" 2>&1 | sed -n 's|.*\(http://127[^ ]*token=[0-9a-f]*\).*|\1|p' | tail -1)
		[ -z "$found" ] || { echo "$found"; return; }
		sleep 0.5
	done
	"$@" >&2
	fail "a server has not started"
}

internal/tools/setup.sh chromium
docker image inspect "$IMAGE" >/dev/null 2>&1 || fail "no image $IMAGE: make docker builds it"
docker run --detach --init --name "$NAME" --publish 127.0.0.1::8888 "$IMAGE" >/dev/null
lab=$(address docker logs "$NAME")
lab=$(echo "$lab" | sed "s|127[^/]*|$(docker port "$NAME" 8888/tcp | head -1)|")

# A folder beside this project's for the copies: what a notebook calls
# $GONB_DIR/.. is the project.
mkdir -p build/browser
jupyter=$(internal/tools/setup.sh classic)
mkdir "$TMP/config"
JUPYTER_CONFIG_DIR="$TMP/config" JUPYTER_RUNTIME_DIR="$TMP" JUPYTER_PATH="$PWD/build/jupyter" PATH="$PWD/build/bin:$PATH" PYDEVD_DISABLE_FILE_VALIDATION=1 \
	"$jupyter" notebook --no-browser --allow-root --ip=127.0.0.1 --port=8900 --notebook-dir="$PWD/notebooks" \
	--KernelSpecManager.ensure_native_kernel=False >"$TMP/log" 2>&1 &
server=$!
classic=$(address cat "$TMP/log")

# shellcheck disable=SC2086 # a list
build/bin/e2e browser -lab "$lab" -classic "$classic" -out build/browser $NOTEBOOKS
echo "screenshots are in build/browser"
