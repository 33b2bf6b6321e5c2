#!/bin/sh
# Starts the image and prints the address to open; "make docker-run" calls it.
# Settings, from the environment:
#
#   IMAGE  the name of the image (regbook)
#   NAME   the name of the container (regbook)
#   PORT   the port on this machine (8888, or the next one that is free)
#   WORK   where what the reader writes stays: a volume, or the path of a folder
#          that user 1000 may write to (regbook-work)
#   MEMORY the most memory, without swap beyond it (4g)
#   PIDS   the most processes and threads (4096)
#   READ_ONLY=no  lets the container write to its own copy of the image; by default it
#          cannot: /tmp and /run are in memory, and the home folder, where the compiler
#          keeps its cache, is a volume that goes with the container
#   HOSTS  names of this machine, other than localhost, by which a browser may ask
#   NETWORK=none   no network at all, and so no address: notebooks run by
#          docker exec regbook jupyter nbconvert --execute --to notebook --inplace work/01_*.ipynb
#
# A container that has stopped is kept, for its log, until the next start.
set -eu

IMAGE=${IMAGE:-regbook}
NAME=${NAME:-regbook}
WORK=${WORK:-regbook-work}
MEMORY=${MEMORY:-4g}
PIDS=${PIDS:-4096}
NETWORK=${NETWORK:-bridge}
READ_ONLY=${READ_ONLY:-yes}
HOSTS=${HOSTS:-}

fail() { echo "docker/run.sh: $*" >&2; exit 1; }
running() { [ -n "$(docker ps --quiet --filter "name=^$NAME\$")" ]; }
address() { docker logs "$NAME" 2>&1 | sed -n 's|.*\(http://127[^ ]*token=[0-9a-f]*\).*|\1|p' | tail -1; }

internal/tools/setup.sh docker "$IMAGE"
case $WORK in */*) WORK=$(mkdir -p "$WORK" && cd "$WORK" && pwd) ;; esac
if running; then fail "$NAME is running already, at $(address)
    docker stop $NAME ends it; NAME= and WORK= start another"; fi

# One that another make is about to start is not "exited", and stays.
stopped=$(docker ps --all --quiet --filter "name=^$NAME\$" --filter status=exited)
[ -z "$stopped" ] || docker rm --volumes "$stopped" >/dev/null || :

set -- --memory "$MEMORY" --memory-swap "$MEMORY" --pids-limit "$PIDS" --network "$NETWORK"
[ "$READ_ONLY" = no ] || set -- "$@" --read-only --tmpfs /tmp:exec,mode=1777 --tmpfs /run --volume /home/student

if [ "$NETWORK" = none ]; then
	docker run --detach --init --name "$NAME" --cap-drop ALL --security-opt no-new-privileges "$@" \
		--volume "$WORK:/home/student/regbook/work" "$IMAGE" >/dev/null || fail "no container $NAME was made"
	echo "$NAME runs without a network: docker exec $NAME jupyter nbconvert --execute --to notebook --inplace work/01_least_squares_geometry.ipynb"
	exit
fi

for port in ${PORT:-8888 8889 8890 8891 8892 8893}; do
	container=$(docker create --init --name "$NAME" --cap-drop ALL --security-opt no-new-privileges "$@" \
		--publish "127.0.0.1:$port:$port" --env "JUPYTER_PORT=$port" --env "JUPYTER_HOSTS=$HOSTS" --volume "$WORK:/home/student/regbook/work" "$IMAGE") ||
		fail "no container $NAME was made. If another make has just started it, this shows its address when run again"
	error=$(docker start "$container" 2>&1) && break
	docker rm --volumes "$container" >/dev/null
	container=
	case $error in
	*already*|*"in use"*) echo "port $port is taken" >&2 ;;
	*) fail "$error" ;;
	esac
done
[ -n "$container" ] || fail "no free port: PORT=9000 make docker-run takes another"

i=0
while [ -z "$(address)" ]; do
	i=$((i + 1))
	if ! running; then docker logs --tail 5 "$NAME" >&2; fail "$NAME has stopped, with the log above"; fi
	[ $i -lt 120 ] || fail "$NAME does not say where it listens: docker logs $NAME"
	sleep 0.5
done
address
