# A kernel that runs nothing and answers each cell at once, as often as asked: what a cell
# says it prints, and states in the ledger. It speaks Jupyter's protocol 5.3 with pyzmq alone.
import hashlib
import hmac
import json
import os
import sys
import uuid

import zmq

with open(sys.argv[1], encoding="utf-8") as f:
    connection = json.load(f)
key = connection["key"].encode()
context = zmq.Context()


def bound(kind, port):
    socket = context.socket(kind)
    socket.bind(f"{connection['transport']}://{connection['ip']}:{connection[port]}")
    return socket


shell, control = bound(zmq.ROUTER, "shell_port"), bound(zmq.ROUTER, "control_port")
iopub, beat, stdin = bound(zmq.PUB, "iopub_port"), bound(zmq.REP, "hb_port"), bound(zmq.ROUTER, "stdin_port")


def send(socket, to, kind, content, parent):
    header = {"msg_id": str(uuid.uuid4()), "username": "", "session": "1", "date": "2020-01-01T00:00:00Z", "msg_type": kind, "version": "5.3"}
    parts = [json.dumps(p).encode() for p in (header, parent, {}, content)]
    sign = hmac.new(key, digestmod=hashlib.sha256)
    for p in parts:
        sign.update(p)
    socket.send_multipart(to + [b"<IDS|MSG>", sign.hexdigest().encode()] + parts)


poller = zmq.Poller()
for s in (shell, control, beat):
    poller.register(s, zmq.POLLIN)
count = 0
while True:
    for socket, _ in poller.poll():
        parts = socket.recv_multipart()
        if socket is beat:
            beat.send_multipart(parts)
            continue
        at = parts.index(b"<IDS|MSG>")
        to, header, content = parts[:at], json.loads(parts[at + 2]), json.loads(parts[at + 5])
        kind = header["msg_type"]
        publish = lambda kind, content: send(iopub, [kind.encode()], kind, content, header)
        publish("status", {"execution_state": "busy"})
        if kind == "kernel_info_request":
            send(socket, to, "kernel_info_reply", {"status": "ok", "protocol_version": "5.3", "implementation": "none", "implementation_version": "1",
                 "banner": "", "language_info": {"name": "go", "version": "1", "mimetype": "text/x-go", "file_extension": ".go"}}, header)
        elif kind == "execute_request":
            count += 1
            text = content["code"].removeprefix("// ") + "\n"
            with open(os.environ["REGBOOK_LEDGER"], "a", encoding="utf-8") as f:
                f.write(text)
            publish("stream", {"name": "stdout", "text": text})
            send(socket, to, "execute_reply", {"status": "ok", "execution_count": count, "user_expressions": {}}, header)
        else:  # shutdown_request, interrupt_request
            send(socket, to, kind.replace("request", "reply"), {"status": "ok", "restart": False}, header)
        publish("status", {"execution_state": "idle"})
        if kind == "shutdown_request":
            context.destroy(linger=200)
            sys.exit(0)
