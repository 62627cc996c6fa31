"""The process that serves the page of a training.

The program that starts it writes messages to its standard input. After the end of that, it serves for as long as
somebody looks, and a minute longer.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from gymnasium.error import Error
from palaestra.studio.training.dashboard import Dashboard
from palaestra.studio.training.helper import next_message
from palaestra.studio.training.tile_drawer import TileDrawer

_LINGERS: Final = 60.0  # s after the last page has gone
_LONGEST: Final = 24 * 3600.0  # s after the end of the program
_NICE: Final = 10  # so that the training goes first


def main() -> int:
    """Serve until the program has ended and nobody looks; returns the exit code."""
    stream = sys.stdin.buffer
    first = next_message(stream)
    if first is None:
        return 1
    if hasattr(os, "nice"):
        os.nice(_NICE)
    dashboard = Dashboard(Path(first["folder"]))
    try:
        from palaestra.studio.server import serving

        server = serving(None, first["host"], first["port"], dashboard)
    except Error as error:
        _answer({"error": str(error)})
        return 1
    _answer({"link": server.link, "open": server.is_open})
    threading.Thread(target=_follow, args=(stream, dashboard, server.end), daemon=True).start()
    try:
        server.run()
    finally:
        dashboard.close()
    return 0


def _answer(message: dict[str, Any]) -> None:
    print(json.dumps(message), flush=True)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)  # the program reads no further


def _follow(stream: Any, dashboard: Dashboard, end: Any) -> None:
    """Hear of runs until the program ends; then end too, when nobody looks any more."""
    while True:
        message = next_message(stream)
        if message is None:
            break
        with suppress(OSError):  # the run's folder is gone already
            run_id = message["run"]
            drawer = TileDrawer(run_id, Path(message["tiles"]), message["count"], message["kind"], message["made_of"])
            dashboard.follow(run_id, drawer)
    ended = time.monotonic()
    while time.monotonic() - ended < _LONGEST:
        if not dashboard.is_watched and (
            dashboard.looked_at is None or time.monotonic() - dashboard.looked_at > _LINGERS
        ):
            break
        time.sleep(0.5)
    end()
