"""Runs a kernel as Jupyter does: session.py KERNEL FOLDER <steps.json

A step is {"run": cell}, or {"complete": cell} or {"inspect": cell} with the cursor at its end or
at "|", or {"wait": seconds}. Prints a list with, for each, what was printed, offered or told, the types of the
outputs, the text and the traceback of an error, and the seconds that it took. What offers or tells nothing is asked again, as a
reader presses TAB again: gopls may still load the packages."""
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
    text, outputs, error = [], [], {}

    def hear(msg):
        content, kind = msg["content"], msg["msg_type"]
        if kind == "stream":
            text.append(content["text"])
            kind = content["name"]
        elif kind in ("display_data", "update_display_data", "execute_result"):
            text.append(content["data"].get("text/plain") or " ".join(content["data"].values()))
        elif kind == "error":
            error.update(error=content["evalue"], name=content["ename"], traceback="\n".join(content["traceback"]))
        else:
            return
        if kind not in outputs[-1:]:
            outputs.append(kind)

    client.execute_interactive(cell, timeout=limit, output_hook=hear)
    return {"text": "".join(text), "outputs": outputs, **error}


def cursor(cell):
    at = cell.index("|") if "|" in cell else len(cell)
    return cell.replace("|", ""), at


def complete(cell):
    reply = client.complete(*cursor(cell), reply=True, timeout=limit)["content"]
    return {"matches": reply["matches"], "metadata": reply["metadata"], "status": reply["status"]}


def inspect(cell):
    data = client.inspect(*cursor(cell), reply=True, timeout=limit)["content"]["data"]
    return {"text": data.get("text/markdown") or "", "status": data.get("text/plain") or ""}


def wait(seconds):
    time.sleep(float(seconds))
    return {}


answers = []
try:
    for step in json.load(sys.stdin):
        start = time.monotonic()
        until = start + limit
        kind, cell = next(iter(step.items()))
        ask = {"run": run, "complete": complete, "inspect": inspect, "wait": wait}[kind]
        answer = ask(cell)
        while kind in ("complete", "inspect") and not (answer.get("matches") or answer.get("text")) and time.monotonic() < until:
            answer = ask(cell)
        answers.append({**answer, "seconds": time.monotonic() - start})
finally:
    client.stop_channels()
    manager.shutdown_kernel()
json.dump(answers, sys.stdout, indent=1)
