#!/bin/sh
# Starts the image and prints the address to open; "make docker-run" calls it.
# What the reader writes stays in the volume regbook-work. The container is
# removed when it is stopped. Settings, from the environment:
#
#   IMAGE  the name of the image (regbook)
#   NAME   the name of the container (regbook)
#   PORT   the port on this machine (8888, or the next one that is free)
set -eu

IMAGE=${IMAGE:-regbook}
NAME=${NAME:-regbook}

fail() { echo "docker/run.sh: $*" >&2; exit 1; }

docker image inspect "$IMAGE" >/dev/null 2>&1 || fail "no image $IMAGE: make docker builds it"
if [ -n "$(docker ps --quiet --filter "name=^$NAME\$")" ]; then
	fail "$NAME is running already: docker stop $NAME ends it, docker logs $NAME has its address"
fi
docker rm "$NAME" >/dev/null 2>&1 || :

start() {
	docker run --detach --rm --init --name "$NAME" --cap-drop ALL --security-opt no-new-privileges \
		--publish "127.0.0.1:$1:$1" --env "JUPYTER_PORT=$1" --volume regbook-work:/home/student/regbook/work "$IMAGE"
}

for port in ${PORT:-8888 8889 8890 8891 8892 8893}; do
	if error=$(start "$port" 2>&1); then break; fi
	docker rm "$NAME" >/dev/null 2>&1 || :
	case $error in
	*already*|*"in use"*) echo "port $port is taken" >&2; port= ;;
	*) fail "$error" ;;
	esac
done
[ -n "$port" ] || fail "no free port: PORT=9000 make docker-run takes another"

i=0
until address=$(docker logs "$NAME" 2>&1 | sed -n 's|.*\(http://127[^ ]*token=[0-9a-f]*\).*|\1|p' | tail -1) && [ -n "$address" ]; do
	i=$((i + 1))
	[ -n "$(docker ps --quiet --filter "name=^$NAME\$")" ] || fail "it has stopped: docker run --rm $IMAGE says why"
	[ $i -lt 120 ] || fail "it does not say where it listens: docker logs $NAME"
	sleep 0.5
done
echo "$address"
