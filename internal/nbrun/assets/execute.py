# Settings of the jupyter execute that executes a notebook for nbrun. It starts in a
# third of nbconvert's time, but has settings for neither hooks nor an output file.
import os
import sys
import time

import nbclient.cli
import nbformat

sys.modules["IPython"] = None  # jupyter_client would load it to look for kernels in its folder, too

started = {}
stated = os.environ["REGBOOK_LEDGER"]  # the file of package course/ledger
read = 0


def start(cell, cell_index):
    started[cell_index] = time.perf_counter()


def executed(cell, cell_index, **_):
    # GoNB stamps its messages in whole seconds, too coarse for record_timing.
    cell.metadata["seconds"] = time.perf_counter() - started[cell_index]
    global read
    cell.metadata["ledger"] = ""  # not what an earlier execution stated
    if os.path.exists(stated):
        with open(stated, encoding="utf-8") as f:
            f.seek(read)
            cell.metadata["ledger"] = f.read()
            read = f.tell()


class Client(nbclient.cli.NotebookClient):
    def __init__(self, nb, **settings):
        super().__init__(nb, **settings)
        self.record_timing = False
        self.allow_errors = True  # all failing cells are reported
        self.interrupt_on_timeout = True  # and so are slow ones
        self.startup_timeout = self.iopub_timeout = 300  # by default 60 s and 4 s, after which outputs are lost
        self.on_cell_start = start
        self.on_cell_executed = executed

    def execute(self, **settings):
        super().execute(**settings)
        nbformat.write(self.nb, os.environ["REGBOOK_EXECUTED"])


nbclient.cli.NotebookClient = Client
