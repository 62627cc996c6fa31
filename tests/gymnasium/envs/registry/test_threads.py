"""The registry while several threads use it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from threading import Event, Thread
from types import ModuleType
from typing import Any

import pytest

from gymnasium.envs.registration import make, pprint_registry, register, registry, spec
from gymnasium.error import Error, RegistrationError
from tests.gymnasium.envs.registry.conftest import TOY
from tests.ours import with_palaestra


@pytest.fixture(autouse=True)
def _hasty_threads() -> Iterator[None]:
    """Threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.fixture
def registering() -> Iterator[None]:
    """Another thread registers and removes environments all the while."""
    over = Event()

    def work() -> None:
        for i in count():
            register(f"busy/Env{i}-v0", TOY)
            if i >= 300:
                del registry[f"busy/Env{i - 300}-v0"]
            if over.is_set():
                return

    thread = Thread(target=work)
    thread.start()
    yield
    over.set()
    thread.join()


def asked_for(env_id: str) -> None:
    with suppress(Error):
        spec(env_id)


def command(*arguments: str) -> None:
    from palaestra.cli import main

    main(list(arguments))


USES: dict[str, Callable[[], Any]] = {
    "make": lambda: make("test/Toy-v0").close(),
    "a name without version": lambda: make("test/Toy").close(),
    "an unknown name": lambda: asked_for("busy/Evn1-v0"),
    "an unknown version": lambda: asked_for("test/Toy-v9"),
    "an unknown namespace": lambda: asked_for("bussy/Env-v0"),
    "pprint_registry": lambda: pprint_registry(disable_print=True),
    "list": lambda: command("list"),
    "completion": lambda: command("completion", "bash"),
}


@pytest.mark.parametrize(
    "use", [pytest.param(use, marks=with_palaestra) if use in ("list", "completion") else use for use in USES]
)
@pytest.mark.filterwarnings("ignore:.*latest version:UserWarning")
def test_the_registry_may_grow_while_it_is_used(toy: str, registering: None, use: str) -> None:
    for _ in range(5 if use in ("list", "completion") else 60):
        USES[use]()


def test_of_two_that_exclude_each_other_one_is_registered() -> None:
    refused: list[str] = []

    def work(suffix: str) -> None:
        for i in range(300):
            try:
                register(f"race/Env{i}{suffix}", TOY)
            except RegistrationError:
                refused.append(f"race/Env{i}")

    threads = [Thread(target=work, args=[suffix]) for suffix in ("", "-v0")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(refused) == sorted(f"race/Env{i}" for i in range(300))
    assert sum(env_id.startswith("race/") for env_id in registry) == 300


def test_an_environment_is_registered_while_another_thread_imports_the_dynamics(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium.functional.func_env", ModuleType("half-way through its import"))

    register("test/Meanwhile-v0", TOY)

    del registry["test/Meanwhile-v0"]
