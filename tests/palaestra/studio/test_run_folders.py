"""A folder of runs holds anything; one broken run takes nothing from the others, and from the page nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from palaestra.studio.training.dashboard import Dashboard, Page
from palaestra.studio.training.episodes import Ended
from palaestra.studio.training.run import ABOUT, RECORDS
from palaestra.studio.training.runs import Runs

GOOD = b'{"t": 1, "steps": 1}\n'
ABOUTS = {
    "NaN": b'{"name": "b", "began": NaN}',
    "infinite": b'{"name": "b", "began": 1e999}',
    "large": b'{"name": "b", "began": 1' + b"0" * 400 + b"}",
    "deep": b'{"name":' + b"[" * 100_000 + b"}",
    "a list": b"[1]",
    "no text": b'{"name": {"a": 1}, "env": 5, "config": [1], "tiles": "x", "program": null}',
    "nothing": b"",
    "a surrogate": b'{"name": "\\ud800"}',
    "no UTF-8": b'{"name": "\xff"}',
}
LINES = {
    "infinite": b'{"t": 1e999, "steps": 1}\n',
    "NaN": b'{"t": NaN, "steps": 1}\n',
    "deep": b"[" * 200_000 + b"\n",
    "other kinds": b'{"t": 2, "steps": 2, "returns": 5, "own": [1], "spent": "x", "histogram": [1], "wrappers": 3, '
    b'"end": {}}\n',
    "half a kind": b'{"t": 2, "steps": 2, "own": {"loss": "x"}, "wrappers": {"A": 1}, "histogram": [0, 1, []]}\n',
}


def written(folder: Path, about: bytes, records: bytes) -> None:
    for name, texts in {"good": (b'{"name": "good"}', GOOD), "other": (about, records)}.items():
        (folder / name).mkdir()
        (folder / name / ABOUT).write_bytes(texts[0])
        (folder / name / RECORDS).write_bytes(texts[1])


def told(folder: Path) -> list[dict[str, Any]]:
    """What a page that shows both runs is told, which is JSON without any number that is none."""
    board = Dashboard(folder)
    page = Page(board)
    try:
        board.runs.refresh()
        board.reads += 1
        page.receive('{"do": "show", "runs": ["good", "other"]}')
        return [json.loads(one, parse_constant=pytest.fail) for one in page.news()]
    finally:
        board.close()


@pytest.mark.parametrize(
    ("about", "records"),
    [*((about, GOOD) for about in ABOUTS.values()), *((b'{"name": "b"}', line + GOOD) for line in LINES.values())],
    ids=[*(f"about {name}" for name in ABOUTS), *(f"record {name}" for name in LINES)],
)
def test_a_broken_run_takes_nothing_from_the_others(tmp_path: Path, about: bytes, records: bytes) -> None:
    written(tmp_path, about, records)

    messages = told(tmp_path)

    runs = {run["id"]: run for message in messages if message["kind"] == "runs" for run in message["changed"]}
    assert runs["good"]["t"] == 1
    assert all(isinstance(run["name"], str) for run in runs.values())
    records_of = {message["run"]: message["records"] for message in messages if message["kind"] == "records"}
    assert records_of["good"] == [{"t": 1, "steps": 1}]


def test_of_a_record_what_is_of_another_kind_is_left_out(tmp_path: Path) -> None:
    written(tmp_path, b'{"name": "b"}', LINES["other kinds"] + LINES["half a kind"])
    runs = Runs(tmp_path)
    runs.refresh()

    run = runs.find("other")

    assert run is not None
    assert run.read_again(0, 9) == [{"t": 2, "steps": 2}, {"t": 2, "steps": 2}]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are of POSIX")
@pytest.mark.parametrize("name", [ABOUT, RECORDS])
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    written(tmp_path, b'{"name": "b"}', GOOD)
    (tmp_path / "other" / name).unlink()
    os.mkfifo(tmp_path / "other" / name)
    runs = Runs(tmp_path)

    runs.refresh()

    assert [run["id"] for run in runs.listed() if run["t"] == 1] == ["good"]


def test_the_line_of_returns_lies_within_its_band() -> None:
    """Both are of the last hundred episodes, also while returns rise."""
    ended = Ended()
    for k in range(40):
        returns = np.arange(10 * k, 10 * k + 10.0)
        ended.add(returns, np.ones(10))
        found = ended.summary()
        mean, low, tenth, _, ninetieth, high = found["recent"]
        assert mean == found["mean"]
        assert low <= tenth <= mean <= ninetieth <= high

    assert found["returns"][2] > found["mean"]  # the extremes since the record before are those of other episodes


def test_equal_returns_are_one_bin_without_width() -> None:
    ended = Ended()
    ended.add([500.0] * 7, [500.0] * 7)

    assert ended.summary()["histogram"] == [500.0, 500.0, [7]]
