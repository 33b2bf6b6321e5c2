#!/bin/sh
# Runs notebooks in JupyterLab, from the image, and in classic Notebook, from
# this machine, in headless Chromium; "make browser-test" calls it.
# Screenshots are kept in build/browser. Settings, from the environment:
# IMAGE (regbook), and NOTEBOOKS, the files to run (01 and live.ipynb). Runs in
# the project's root.
set -eu

NOTEBOOKS=${NOTEBOOKS:-notebooks/01_least_squares_geometry.ipynb internal/e2e/live.ipynb}
export NAME=regbook-browser-$$ WORK=regbook-browser-$$ # for docker/run.sh, and IMAGE
TMP=$(mktemp -d)
server=

fail() { echo "browser.sh: $*" >&2; exit 1; }
clean() {
	docker rm --force "$NAME" >/dev/null 2>&1 || :
	docker volume rm "$WORK" >/dev/null 2>&1 || :
	[ -z "$server" ] || kill "$server" 2>/dev/null || :
	rm -rf "$TMP"
}
trap clean EXIT
trap 'exit 1' INT TERM

internal/tools/setup.sh chromium
lab=$(docker/run.sh)

# A folder beside this project's for the copies: what a notebook calls
# $GONB_DIR/.. is the project.
mkdir -p build/browser
jupyter=$(internal/tools/setup.sh classic)
mkdir "$TMP/config"
JUPYTER_CONFIG_DIR="$TMP/config" JUPYTER_RUNTIME_DIR="$TMP" JUPYTER_PATH="$PWD/build/jupyter" PATH="$PWD/build/bin:$PATH" PYDEVD_DISABLE_FILE_VALIDATION=1 \
	"$jupyter" notebook --no-browser --allow-root --ip=127.0.0.1 --port=8900 --notebook-dir="$PWD/notebooks" \
	--KernelSpecManager.ensure_native_kernel=False >"$TMP/log" 2>&1 &
server=$!
for _ in $(seq 600); do
	classic=$(sed -n 's|.*\(http://127[^ ]*token=[0-9a-f]*\).*|\1|p' "$TMP/log" | tail -1)
	[ -z "$classic" ] || break
	sleep 0.5
done
[ -n "$classic" ] || { cat "$TMP/log" >&2; fail "classic Notebook has not started"; }

# shellcheck disable=SC2086 # a list
build/bin/e2e browser -lab "$lab" -classic "$classic" -out build/browser $NOTEBOOKS
echo "screenshots are in build/browser"
