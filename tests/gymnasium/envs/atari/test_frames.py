"""One game in wrappers, and ale-py's vector environment, show the same."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from gymnasium.envs.registration import make, make_vec
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import AtariPreprocessing, FrameStackObservation, TransformObservation
from gymnasium.wrappers import vector as vector_wrappers
from tests.thorough import THOROUGH

N, SEED = 2, 5
STEPS = 100 if THOROUGH else 60


def prepared(env_id: str, life: bool = False, skip: int = 4, size: int = 84, gray: bool = True, **kwargs: Any) -> Any:
    """A game as ale-py's vector environment prepares it, but for the idle steps, which it draws by itself."""
    game = make(env_id, frameskip=1, **{"repeat_action_probability": 0.0, **kwargs})
    frames = AtariPreprocessing(game, 0, skip, size, terminal_on_life_loss=life, grayscale_obs=gray)
    return FrameStackObservation(frames, 4, padding_type="zero")


def batch(
    env_id: str,
    num_envs: int = N,
    life: bool = False,
    skip: int = 4,
    size: int = 84,
    gray: bool = True,
    mode: str = "NextStep",
    **kwargs: Any,
) -> Any:
    """The same as ale-py's vector environment."""
    same: dict[str, Any] = {"noop_max": 0, "use_fire_reset": False, "reward_clipping": False, "stack_num": 4}
    same |= {"episodic_life": life, "frameskip": skip, "img_height": size, "img_width": size, "grayscale": gray}
    same |= {"repeat_action_probability": 0.0, "vector_kwargs": {"autoreset_mode": mode}}
    return make_vec(env_id, num_envs, **{**same, **kwargs})


GAMES: list[tuple[str, dict[str, Any]]] = [
    ("ALE/Breakout-v5", {"life": True}),
    # Episodes of so many frames end in each of a step's frames in turn.
    *(("ALE/Pong-v5", {"max_num_frames_per_episode": length}) for length in (97, 98, 99, 100)),
    ("ALE/Seaquest-v5", {"skip": 3, "size": 60, "gray": False}),
    ("ALE/Freeway-v5", {"skip": 1}),
]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize(("env_id", "options"), GAMES, ids=str)
def test_the_vector_environment_is_a_batch_of_games_in_wrappers(env_id: str, options: Any, mode: str) -> None:
    """Observations, also the final ones, rewards and flags, to the bit, through several episodes."""
    one = SyncVectorEnv([partial(prepared, env_id, **options)] * N, autoreset_mode=mode)
    other = batch(env_id, mode=mode, **options)
    assert one.observation_space == other.observation_space
    assert one.action_space == other.action_space

    expected, found = [one.reset(seed=SEED)[0]], [other.reset(seed=SEED)[0]]
    one.action_space.seed(SEED)
    for _ in range(STEPS):
        actions = one.action_space.sample()
        for envs, shown in ((one, expected), (other, found)):
            *results, infos = envs.step(actions)
            shown += [*results, *(final for final in infos.get("final_obs", ()) if final is not None)]

    assert len(expected) == len(found)
    for a, b in zip(expected, found, strict=True):
        np.testing.assert_array_equal(a, b)


def test_sticky_actions_stick_alike_for_the_emulators_seed() -> None:
    """A single game draws it from the seed, and says it in the info; the vector environment takes it as it is."""
    env = prepared("ALE/Pong-v5", repeat_action_probability=0.25)
    first, info = env.reset(seed=1)
    envs = batch("ALE/Pong-v5", num_envs=1, repeat_action_probability=0.25)
    (same,), _ = envs.reset(seed=[int(info["seeds"][1])])
    np.testing.assert_array_equal(first, same)

    env.action_space.seed(SEED)
    for _ in range(100):
        action = env.action_space.sample()
        np.testing.assert_array_equal(env.step(action)[0], envs.step([action])[0][0])


def test_what_a_wrapper_makes_of_final_observations() -> None:
    """In them are no rows of games that go on, and wrappers change them like others."""
    options = {"mode": "SameStep", "max_num_frames_per_episode": 40}
    halved = vector_wrappers.TransformObservation(batch("ALE/Pong-v5", **options), lambda pictures: pictures // 2)
    plain = batch("ALE/Pong-v5", **options)
    halved.reset(seed=SEED), plain.reset(seed=SEED)

    ends = 0
    for _ in range(25):
        mine, theirs = halved.step([0, 1])[4], plain.step([0, 1])[4]
        assert mine.keys() == theirs.keys()
        for i in np.flatnonzero(theirs.get("_final_obs", ())):
            np.testing.assert_array_equal(mine["final_obs"][i], theirs["final_obs"][i] // 2)
            ends += 1
    assert ends == 2 * N


def test_who_looks_at_the_games_own_pictures_gets_them() -> None:
    """Elsewhere they are left out, which changes nothing of what is seen."""
    seen = []

    def look(picture: Any) -> Any:
        seen.append(picture.copy())
        return picture

    def play(env: Any) -> list[Any]:
        return [env.reset(seed=SEED)[0], *(env.step(t % 6)[0] for t in range(20))]

    blind = AtariPreprocessing(make("ALE/Pong-v5", frameskip=1))
    watched = AtariPreprocessing(TransformObservation(make("ALE/Pong-v5", frameskip=1), look, None))
    np.testing.assert_array_equal(play(blind), play(watched))
    np.testing.assert_array_equal(seen[-1], watched.ale.getScreenRGB())
    np.testing.assert_array_equal(blind.unwrapped.step(0)[0], blind.ale.getScreenRGB())


def test_preprocessing_goes_on_from_its_state_and_the_emulators() -> None:
    """Also into the end, where frames of the step before are shown."""
    env = AtariPreprocessing(make("ALE/Breakout-v5", frameskip=1), terminal_on_life_loss=True)
    env.reset(seed=SEED)
    env.step(1)
    state, emulator = env.get_state(), env.unwrapped.clone_state(include_rng=True)

    def play() -> list[Any]:
        steps = [env.step(t % 4) for t in range(4)]
        while not (steps[-1][2] or steps[-1][3]):
            steps.append(env.step(1))
        return steps

    first = play()
    env.unwrapped.restore_state(emulator)
    env.set_state(state)
    again = play()

    assert [step[1:4] for step in first] == [step[1:4] for step in again]
    for a, b in zip(first, again, strict=True):
        np.testing.assert_array_equal(a[0], b[0])
