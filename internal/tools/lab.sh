#!/bin/sh
# Opens JupyterLab, or Jupyter Notebook where Lab is missing, on notebooks/ with
# the project's kernel: on localhost only, with a token. Runs in the project's root.
jupyter=$(internal/tools/setup.sh notebook) || exit 1

export JUPYTER_RUNTIME_DIR="$PWD/build/jupyter/runtime"
export JUPYTER_PATH="$PWD/build/jupyter${JUPYTER_PATH:+:$JUPYTER_PATH}"
export PATH="$PWD/build/bin:$PATH"
export PYDEVD_DISABLE_FILE_VALIDATION=1

if "$jupyter" lab --version >/dev/null 2>&1; then
	set -- lab --ServerApp.root_dir="$PWD/notebooks"
else
	set -- notebook --notebook-dir="$PWD/notebooks"
fi
[ "$(id -u)" = 0 ] && set -- "$@" --allow-root
if [ -z "$DISPLAY$WAYLAND_DISPLAY" ] && [ "$(uname)" = Linux ]; then
	set -- "$@" --no-browser
fi
exec "$jupyter" "$@" --ip=127.0.0.1 --MultiKernelManager.default_kernel_name=regbook
