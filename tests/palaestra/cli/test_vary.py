"""`palaestra run --vary` draws params for each episode."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import palaestra
from palaestra.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Returns the exit code and the output of a command."""
    try:
        code = main(["run", *arguments])
    except SystemExit as end:
        code = int(end.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def test_params_differ_between_episodes(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("CartPole-v1", "--episodes", "8", "--seed", "1", "--json", "--num-envs", "2")
    results = []
    for vary in ([], ["--vary", "length=0.05:0.06", "--vary", "gravity=8,12"]):
        code, out, _ = run(capsys, *options, *vary)
        assert code == 0
        results.append(json.loads(out)["returns"])
    assert results[0] != results[1]


@pytest.mark.parametrize("number", ["1", "2"])
@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ("gravty=8:12", "did you mean 'gravity'"),
        ("gravity=12:8", "the lower bound first"),
        ("gravity", "expected name=low:high"),
        ("semi_implicit=0:1", "type bool"),
        ("env=1:2", "no param 'env'"),
    ],
)
def test_what_does_not_fit_is_refused(capsys: pytest.CaptureFixture[str], vary: str, message: str, number: str) -> None:
    code, _, err = run(capsys, "CartPole-v1", "--vary", vary, "--num-envs", number)
    assert code != 0
    assert message in " ".join(err.split())


@pytest.mark.parametrize("number", ["1", "2"])
def test_replays_hold_the_params(capsys: pytest.CaptureFixture[str], tmp_path: Path, number: str) -> None:
    options = ("--episodes", "4", "--seed", "1", "--num-envs", number, "--record", str(tmp_path))
    code, _, _ = run(capsys, "CartPole-v1", "--vary", "gravity=8:12", "--vary", "semi_implicit=true,false", *options)
    assert code == 0
    paths = list(tmp_path.glob("*.replay"))
    assert len(paths) >= 4
    assert all(palaestra.Replay.load(path).verify() for path in paths)
