"""Runs a kernel as Jupyter does: session.py KERNEL FOLDER <steps.json

A step is {"run": cell}, or {"complete": cell} with the cursor at its end or at "|". Prints a
list with, for each, what was printed or offered, and the text of an error. What offers
nothing is asked again, as a reader presses TAB again: gopls may still load the packages."""
import json, sys, time
from jupyter_client.manager import KernelManager

name, folder = sys.argv[1:]
limit = 300  # seconds, of anything
manager = KernelManager(kernel_name=name)
log = open(folder + "/kernel.log", "w")
manager.start_kernel(cwd=folder, stdout=log, stderr=log)
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=limit)


def run(cell):
    text, error = [], []

    def hear(msg):
        content = msg["content"]
        if msg["msg_type"] == "stream":
            text.append(content["text"])
        elif msg["msg_type"] in ("display_data", "update_display_data"):
            text.append(content["data"].get("text/plain") or " ".join(content["data"].values()))
        elif msg["msg_type"] == "error":
            error.append(content["evalue"])

    client.execute_interactive(cell, timeout=limit, output_hook=hear)
    return {"text": "".join(text), "error": "".join(error)}


def complete(cell):
    at = cell.index("|") if "|" in cell else len(cell)
    cell = cell.replace("|", "")
    reply = client.complete(cell, at, reply=True, timeout=limit)["content"]
    return {"matches": reply["matches"], "status": reply["status"]}


answers = []
try:
    for step in json.load(sys.stdin):
        until = time.monotonic() + limit
        answer = run(step["run"]) if "run" in step else complete(step["complete"])
        while "complete" in step and not answer["matches"] and time.monotonic() < until:
            answer = complete(step["complete"])
        answers.append(answer)
finally:
    client.stop_channels()
    manager.shutdown_kernel()
json.dump(answers, sys.stdout, indent=1)
