"""`watch` changes nothing, counts what happened, and never stands in the training's way."""

from __future__ import annotations

import copy
import json
import os
import pickle
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from palaestra import studio
from palaestra.policies import Random
from palaestra.studio.training import watching
from palaestra.studio.training.helper import NEITHER, NOTHING, PICTURES, STATES, STEPS, Helper, tiles_in
from palaestra.studio.training.run import RECORDS
from palaestra.studio.training.runs import Runs
from tests.palaestra.studio.watched import Watch, last_record, monitor_of, played


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("runner", ["vector_entry_point", "sync"])
def test_it_changes_nothing_and_counts_as_the_wrapper_does(watch: Watch, runner: str, mode: AutoresetMode) -> None:
    """Episodes are those of RecordEpisodeStatistics, which the record shows too."""
    options = {"vectorization_mode": runner, "vector_kwargs": {"autoreset_mode": mode}}
    plain = gymnasium.make_vec("CartPole-v1", 3, **options)
    counting = RecordEpisodeStatistics(gymnasium.make_vec("CartPole-v1", 3, **options), buffer_length=1000)
    envs = watch(counting)

    for expected, found in zip(played(plain, 200), played(envs, 200), strict=True):
        assert np.array_equal(expected, found)
    record = last_record(envs)

    returns = np.array(counting.return_queue)
    assert record["episodes"] == counting.episode_count > 5
    assert record["steps"] == 600 - (counting.episode_count if mode is AutoresetMode.NEXT_STEP else 0) + np.sum(
        monitor_of(envs)._over.size
    )
    count, mean, low, *_, high = record["returns"]
    assert (count, low, high) == (len(returns), returns.min(), returns.max())
    assert mean == pytest.approx(returns.mean(), rel=1e-4)
    assert record["mean"] == pytest.approx(returns[-100:].mean(), rel=1e-4)
    assert sum(record["histogram"][2]) == min(100, len(returns))
    assert record["wrappers"]["RecordEpisodeStatistics"]["episodes"] == counting.episode_count
    assert record["end"] == "closed"


def test_a_watched_batch_has_the_attributes_of_its_own(watch: Watch) -> None:
    """And a copy, or a pickle, is not watched."""
    envs = watch(gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="sync"))
    envs.reset(seed=1)

    assert envs.get_attr("gravity") == (9.8, 9.8)
    assert envs.single_observation_space == envs.env.single_observation_space
    assert (envs.num_envs, envs.spec, envs.unwrapped) == (2, envs.env.spec, envs.env)
    assert not hasattr(envs, "no_such_attribute")
    for again in (copy.deepcopy(envs), pickle.loads(pickle.dumps(watch(gymnasium.make_vec("CartPole-v1", 2))))):
        assert type(again).__name__ in ("SyncVectorEnv", "CartPoleVectorEnv")


def test_snapshots_are_those_of_the_batch(watch: Watch) -> None:
    plain = gymnasium.make_vec("CartPole-v1", 2)
    envs = watch(gymnasium.make_vec("CartPole-v1", 2))
    envs.reset(seed=1)
    moment = palaestra.snapshot(envs)
    plain.reset(seed=9)

    palaestra.restore(plain, moment)

    actions = np.array([0, 1])
    assert np.array_equal(plain.step(actions)[0], envs.step(actions)[0])


def test_rollouts_are_as_fast_and_the_same(watch: Watch, capsys: Any) -> None:
    """Machine code takes the steps, and its episodes are counted."""
    plain = gymnasium.make_vec("CartPole-v1", 4)
    envs = watch(RecordEpisodeStatistics(gymnasium.make_vec("CartPole-v1", 4)))
    policy = Random(plain.single_action_space, seed=1)
    expected = palaestra.rollout(plain, policy, 100, start=plain.reset(seed=1)[0])
    capsys.readouterr()

    found = palaestra.rollout(envs, policy, 100, start=envs.reset(seed=1)[0], explain=True)

    assert capsys.readouterr().out.startswith("rollout: machine code")
    assert np.array_equal(found.observations, expected.observations)
    assert np.array_equal(found.episodes.returns, expected.episodes.returns)
    monitor = monitor_of(envs)
    assert np.array_equal(monitor._returns, found.running.returns)
    assert np.array_equal(monitor._over, np.flatnonzero(found.running.over))
    record = last_record(envs)
    assert record["episodes"] == len(found.episodes.returns) > 5
    assert record["steps"] == int(found.valid.sum())
    assert record["spent"][2] > 0


def test_a_plain_rollout_goes_through_the_watched_batch(watch: Watch) -> None:
    """What it counts is the same, and policy and environments are told apart."""
    envs = watch(gymnasium.make_vec("CartPole-v1", 4))
    envs.action_space.seed(2)
    found = palaestra.rollout(envs, lambda observations: envs.action_space.sample(), 200)

    record = last_record(envs)
    assert record["episodes"] == len(found.episodes.returns) > 0
    assert record["steps"] == int(found.valid.sum())
    assert record["spent"][2] == 0
    assert record["spent"][1] > 0


def test_results_received_one_by_one_are_counted(watch: Watch) -> None:
    envs = watch(gymnasium.make_vec("CartPole-v1", 3))
    envs.action_space.seed(1)
    envs.reset(seed=1)
    ended = 0
    for k in range(120):
        ids = [k % 3, (k + 1) % 3]
        envs.send(envs.action_space.sample()[ids], ids)
        _, _, terminated, truncated, _ = envs.recv(2)
        ended += int(np.logical_or(terminated, truncated).sum())

    record = last_record(envs)
    assert record["episodes"] == ended > 3
    assert record["steps"] == 240 - ended + monitor_of(envs)._over.size


def test_numbers_of_ones_own_are_means_and_refused_if_they_are_none(watch: Watch) -> None:
    studio.log(loss=1.0)  # nobody watches
    envs = watch(gymnasium.make_vec("CartPole-v1", 2))
    studio.log(loss=1.0, entropy=np.float32(2))
    studio.log(loss=np.array(3.0))
    studio.log(odd=float("nan"))
    with pytest.raises(TypeError):
        studio.log(loss=None)
    with studio.learning():
        time.sleep(0.01)

    record = last_record(envs)
    assert record["own"] == {"loss": 2.0, "entropy": 2.0, "odd": None}
    assert record["spent"][3] >= 0.01


@pytest.mark.parametrize(
    ("envs", "error"), [(3, TypeError), ("CartPole-v1", TypeError), (gymnasium.Env, TypeError)], ids=str
)
def test_it_says_what_it_cannot_watch(watch: Watch, envs: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="watch expects"):
        watch(envs)
    with pytest.raises(ValueError, match="tiles"):
        watch(gymnasium.make("CartPole-v1"), tiles=-1)


def test_the_server_imports_nothing_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [tmp_path, *filter(None, sys.path)])  # imports pass over a Path
    monkeypatch.chdir(tmp_path)
    (tmp_path / "queue.py").write_text("raise RuntimeError('imported')")
    (tmp_path / "runs").mkdir()

    helper = Helper(tmp_path / "runs", "127.0.0.1", 0)
    helper.leave()
    assert helper.link.startswith("http://127.0.0.1:")


def test_a_full_disk_ends_the_watching_only(watch: Watch) -> None:
    envs = watch(gymnasium.make_vec("CartPole-v1", 2))
    envs.reset(seed=1)
    monitor_of(envs).run._file.close()
    monitor_of(envs).run.due = 0.0

    with pytest.warns(UserWarning, match="no longer written"):
        envs.step(np.array([0, 1]))
    assert envs.step(np.array([0, 1]))[0].shape == (2, 4)


def test_tiles_are_written_when_they_are_asked_for(watch: Watch) -> None:
    """Never else; what cannot be had is said, and a request of pictures from batches without them too."""
    envs = watch(gymnasium.make_vec("CartPole-v1", 4), tiles=2)
    envs.reset(seed=1)
    tiles = monitor_of(envs).tiles
    actions = np.zeros(4, int)
    envs.step(actions)
    assert not tiles_in(tiles.folder).read_bytes()

    tiles.asked[0] = STATES
    envs.step(actions)
    assert tiles.asked[0] == NOTHING
    came = pickle.loads(tiles_in(tiles.folder).read_bytes())
    assert (len(came["tiles"]), came["returns"], came["lengths"]) == (2, [2.0, 2.0], [2, 2])

    tiles.rests_until = 0.0
    tiles.asked[0] = PICTURES
    envs.step(actions)
    assert tiles.asked[0] == NEITHER


def test_steps_look_for_a_request_every_now_and_then(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palaestra.studio.training.monitor._GLANCE", 0.05)
    envs = watch(gymnasium.make_vec("CartPole-v1", 2))
    envs.reset(seed=1)
    tiles = monitor_of(envs).tiles
    envs.step(np.zeros(2, int))
    tiles.asked[0] = STATES
    began, steps = time.perf_counter(), 0
    while tiles.asked[0] == STATES:
        envs.step(np.zeros(2, int))
        steps += 1
    assert steps > 1
    assert 0.03 < time.perf_counter() - began < 5.0


def test_a_program_that_steps_says_so(watch: Watch) -> None:
    """So that nothing is drawn beside it."""
    envs = watch(gymnasium.make_vec("CartPole-v1", 2))
    envs.reset(seed=1)
    told = set()
    for _ in range(300):
        envs.step(np.zeros(2, int))
        told.add(monitor_of(envs).tiles.asked[STEPS])
    assert len(told) == 256


def test_tiles_take_a_thirtieth_of_the_time_at_most(watch: Watch) -> None:
    envs = watch(gymnasium.make_vec("CartPole-v1", 2))
    envs.reset(seed=1)
    monitor = monitor_of(envs)
    slow = monitor.tiles.source._replace(states=lambda: time.sleep(0.02) or [0, 0])  # type: ignore[union-attr]
    monitor.tiles.source = slow
    began, written = time.perf_counter(), 0
    for _ in range(2000):
        monitor.tiles.asked[0] = STATES
        envs.step(np.zeros(2, int))
        written += monitor.tiles.asked[0] == NOTHING
        if time.perf_counter() - began > 0.3:
            break

    assert written == 1


def test_one_slow_answer_does_not_stop_the_pictures(watch: Watch) -> None:
    """As while a browser opens, which takes all processors: what was slow once is not expected to remain so."""
    envs = watch(gymnasium.make_vec("CartPole-v1", 2))
    envs.reset(seed=1)
    monitor = monitor_of(envs)
    times = iter([0.5, *[0.001] * 3, 0.5, *[0.001] * 10])
    monitor.tiles.source = monitor.tiles.source._replace(states=lambda: time.sleep(next(times)) or [0, 0])  # type: ignore[union-attr]
    longest, last, written = 0.0, time.perf_counter(), 0
    while written < 8:
        monitor.tiles.asked[0] = STATES
        envs.step(np.zeros(2, int))
        if monitor.tiles.asked[0] == NOTHING:
            now = time.perf_counter()
            longest, last, written = max(longest, now - last), now, written + 1

    assert longest < 3.0  # 15 s, as a thirtieth of the slowest would have it


def test_runs_are_read_while_they_grow_and_after_they_were_torn(watch: Watch, tmp_path: Path) -> None:
    """Lines that are none are left out, and a program that is gone without a word is noticed."""
    envs = watch(gymnasium.make_vec("CartPole-v1", 2), name="one/../run")
    tmp_path /= "runs"
    runs = Runs(tmp_path)
    runs.refresh()
    [summary] = runs.listed()
    assert (summary["name"], summary["env"], summary["state"]) == ("one/../run", "CartPole-v1", "running")
    run = monitor_of(envs).run
    assert run.path.parent == tmp_path

    run.write({})
    with open(run.path / RECORDS, "ab") as file:
        file.write(b'\xff\nnull\n{"t": "x"}\n{"t": 1')
    runs.refresh()
    found = runs.find(run.path.name)
    assert found is not None
    assert len(found.records) == 1
    run.drop()
    assert runs.listed()[0]["state"] == "lost"
    (tmp_path / "other").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "run.json").write_text("[]")
    runs.refresh()
    assert len(runs.listed()) == 1


def test_the_process_beside_serves_on_and_a_stopped_one_holds_nobody_up(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is stopped while it waits for tiles; the training goes on, and so does it afterwards."""
    from websockets.sync.client import connect

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    envs = studio.watch(gymnasium.make_vec("CartPole-v1", 4), folder=tmp_path, port=0)
    link = capsys.readouterr().out.split()[-1]
    host, token = link.split("/")[2:4]
    helper = watching._helpers.pop(tmp_path)
    assert os.getpgid(helper._process.pid) != os.getpgid(0)  # Ctrl-C does not reach it
    assert os.getsid(helper._process.pid) == os.getsid(0)  # so that the training goes first
    envs.reset(seed=1)
    with connect(f"ws://{host}/{token}/training", origin=f"http://{host}", max_size=None) as page:  # type: ignore[arg-type]
        run = json.loads(page.recv(30))["changed"][0]["id"]
        page.send(json.dumps({"do": "look", "run": run}))
        monitor, limit = monitor_of(envs), time.monotonic() + 30
        while not monitor.tiles.asked[0] and time.monotonic() < limit:
            time.sleep(0.01)
        os.kill(helper._process.pid, signal.SIGSTOP)
        try:
            for _ in range(2000):
                envs.step(np.zeros(4, int))
        finally:
            os.kill(helper._process.pid, signal.SIGCONT)
        while not isinstance(page.recv(30), bytes):
            envs.step(np.zeros(4, int))
        envs.close()
        helper.leave()
        while json.loads(message if isinstance(message := page.recv(30), str) else "{}").get("kind") != "runs":
            continue
        assert helper.is_alive
    helper._process.kill()
    helper._process.wait(10)
    helper._process.stdout.close()  # type: ignore[union-attr]
