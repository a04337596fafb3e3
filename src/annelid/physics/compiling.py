"""Prints one line before native code is compiled, because the first time takes a while."""

from __future__ import annotations

import functools
import multiprocessing
import sys
from typing import Any, Final

from numba.core import event

WORDS: Final = "Compiling native code: about 20 s, once; it is kept for every later run …"


class Compiling(event.Listener):
    """Hears of everything that numba compiles; what it finds in its cache is not compiled."""

    def __init__(self) -> None:
        self.happened = False

    def on_start(self, event: Any) -> None:
        kernel = (
            event.data["module"].startswith("annelid.") and "<locals>" in event.data["qualname"]
        )
        if not kernel or self.happened:  # the small ones are quick, and parts of the others
            return
        self.happened = True
        if multiprocessing.parent_process() is None:  # a worker's parent has said it
            print(WORDS, file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        pass


@functools.cache
def watched() -> Compiling:
    """The listener of this process, listening from the first call on."""
    listener = Compiling()
    event.register("numba:run_pass", listener)
    return listener
