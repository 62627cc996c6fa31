"""Pickles of spaces and specs, which saved models hold: written here and read elsewhere, and the other way round.

    python tests/golden/pickles.py record FILE    writes the pickles of the installed implementation
    python tests/golden/pickles.py verify FILE    reads those of another one

`data/pickles.json` was recorded from the reference; `test_pickles.py` reads it.
"""

from __future__ import annotations

import base64
import json
import pickle
import sys
import warnings
import zlib
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np

import gymnasium
from gymnasium import spaces, wrappers
from gymnasium.envs.registration import EnvSpec, WrapperSpec
from gymnasium.vector import AutoresetMode

HERE = Path(__file__).parent

SPACES = (
    "Box(-1, 1)",
    "Box(-inf, inf, (3,))",
    "Box(0, 255, (2, 2, 3), np.uint8)",
    "Box(np.array([-inf, 0, -5, -inf]), np.array([0, inf, 5, inf]), dtype=np.float64)",
    "Box(-inf, inf, (2,), np.int32)",
    "Box(0, 1, (), bool)",
    "Discrete(3)",
    "Discrete(7, start=-3)",
    "Discrete(5, start=2, dtype=np.int32)",
    "MultiBinary(5)",
    "MultiBinary((2, 3))",
    "MultiDiscrete([3, 4])",
    "MultiDiscrete([[1, 2], [3, 4]], start=[[0, -1], [10, 2]], dtype=np.int16)",
    "Text(5)",
    "Text(6, min_length=3, charset='zyx01')",
    "Tuple([Discrete(3), Box(-1, 1, (2,))])",
    "Dict(position=Discrete(2), velocity=Box(-1, 1, (2,), np.float64))",
    "Dict(OrderedDict([('b', Discrete(3)), ('a', MultiDiscrete([2, 3]))]))",
    "Dict({'z': Dict({'y': MultiBinary(2), 'x': Text(2)}), 'k': Tuple([Discrete(2)])}, sort_keys=False)",
    "OneOf([Discrete(3), Box(0, 1, (2,))])",
    "Sequence(Discrete(4))",
    "Sequence(Box(-1, 1, (2,)), stack=True)",
    "Graph(Box(-1, 1, (3,)), None)",
    "Graph(Discrete(5), Box(0, 1, (2,)))",
    "batch(Text(3), 2)",
    "batch(Dict(a=Discrete(3), b=Graph(Discrete(5), None)), 2)",
)

SPECS = (
    "gymnasium.spec('CartPole-v1')",
    "gymnasium.make('CartPole-v1', max_episode_steps=7).spec",
    "gymnasium.make('FrozenLake-v1', desc=['SF', 'FG'], is_slippery=False).spec",
    "gymnasium.make('MountainCarContinuous-v0', disable_env_checker=True, render_mode='rgb_array_list').spec",
    "gymnasium.make_vec('CartPole-v1', 3, max_episode_steps=7).spec",
    "gymnasium.make_vec('Pendulum-v1', 2, 'sync', vector_kwargs={'autoreset_mode': AutoresetMode.SAME_STEP}).spec",
    "WrapperSpec('Mine', 'my.module:Mine', None)",
    "EnvSpec('ns/Mine-v3', 'my.module:Mine', 1.5, True, 9, additional_wrappers=(WrapperSpec('A', 'b:A', {}),))",
    *(
        f"wrappers.{wrapper}.spec"
        for wrapper in (
            "AddRenderObservation(pendulum, render_only=False)",
            "AddWhiteNoise(pendulum, 0.3)",
            "Autoreset(pendulum)",
            "ClipAction(pendulum)",
            "ClipReward(pendulum, min_reward=-1)",
            "DelayObservation(pendulum, 2)",
            "DiscretizeAction(pendulum, 3)",
            "DiscretizeObservation(wrappers.RescaleObservation(pendulum, -1, 1), (2, 3, 4), multidiscrete=True)",
            "DtypeObservation(pendulum, np.float64)",
            "FilterObservation(blackjack, (0, 2))",
            "FlattenObservation(blackjack)",
            "FrameStackObservation(pendulum, 3, padding_type='zero')",
            "HumanRendering(pendulum)",
            "MaxAndSkipObservation(pendulum, 3)",
            "NormalizeObservation(pendulum)",
            "NormalizeReward(pendulum, gamma=0.9)",
            "NumpyToTorch(pendulum)",
            "ObstructView(pendulum, 0.3, 2)",
            "OrderEnforcing(pendulum.unwrapped)",
            "PassiveEnvChecker(pendulum.unwrapped)",
            "RecordEpisodeStatistics(pendulum, 7)",
            "RenderCollection(pendulum, pop_frames=False)",
            "RepeatAction(pendulum, 2)",
            "RescaleAction(pendulum, np.float32(-1), np.float32(1))",
            "RescaleObservation(pendulum, -1, 1)",
            "ReshapeObservation(pendulum, (3, 1))",
            "StickyAction(pendulum, 0.5, (1, 2))",
            "TimeAwareObservation(pendulum, flatten=False)",
            "TimeLimit(pendulum.unwrapped, 4)",
            "TransformAction(pendulum, np.tanh, None)",
            "TransformObservation(pendulum, np.tanh, None)",
            "TransformReward(pendulum, np.tanh)",
            "ResizeObservation(images, (4, 5))",
            "GrayscaleObservation(images, keep_dim=True)",
        )
    ),
)


def evaluated(expression: str) -> Any:
    """Returns the space or the spec that an expression above makes."""
    names: dict[str, Any] = {"np": np, "inf": np.inf, "OrderedDict": OrderedDict, "gymnasium": gymnasium}
    names |= {name: getattr(spaces, name) for name in spaces.__all__}
    names |= {"wrappers": wrappers, "batch": gymnasium.vector.utils.batch_space}
    names |= {"EnvSpec": EnvSpec, "WrapperSpec": WrapperSpec, "AutoresetMode": AutoresetMode}
    names["blackjack"] = gymnasium.make("Blackjack-v1")
    names["pendulum"] = gymnasium.make("Pendulum-v1", render_mode="rgb_array")
    names["images"] = wrappers.AddRenderObservation(names["pendulum"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(expression, names)


def samples(space: Any, n: int = 2) -> Any:
    """Returns the next `n` samples of a space as JSON knows them."""
    return json.loads(json.dumps(space.to_jsonable([space.sample() for _ in range(n)])))


def recorded(expression: str) -> dict[str, Any]:
    """Returns the pickle of what an expression makes, and what whoever reads it has to find."""
    made = evaluated(expression)
    is_space = isinstance(made, spaces.Space)
    if is_space:
        made.seed(42)
        made.sample()
    text = base64.b64encode(zlib.compress(pickle.dumps(made, protocol=4), 9)).decode()
    entry = {"expression": expression, "pickle": text, "repr": repr(made)}
    return {**entry, "samples": samples(made)} if is_space else entry


def pickled(entry: dict[str, Any]) -> bytes:
    """Returns the pickle of an entry of the file."""
    return zlib.decompress(base64.b64decode(entry["pickle"]))


def differences(entry: dict[str, Any]) -> list[str]:
    """Returns what is otherwise, of a pickle that another implementation wrote, than if it were made here."""
    made = evaluated(entry["expression"])
    loaded = pickle.loads(pickled(entry))
    found = [] if type(loaded) is type(made) else [f"is a {type(loaded)}, not a {type(made)}"]
    found += [] if repr(loaded) == entry["repr"] else [f"prints {loaded!r}, not {entry['repr']}"]
    if not isinstance(made, spaces.Space):
        # Which vector class steps a batch is each implementation's own affair.
        names = (vars(loaded).keys() | vars(made).keys()) - {"vector_entry_point"}
        pairs = {name: (vars(loaded).get(name), vars(made).get(name)) for name in sorted(names)}
        return found + [f"{name} is {a!r}, not {b!r}" for name, (a, b) in pairs.items() if a != b]
    drawn = samples(loaded)
    found += [] if loaded == made else [f"{loaded!r} is not equal to {made!r}"]
    return found + ([] if drawn == entry["samples"] else [f"samples {drawn}, not {entry['samples']}"])


def main(action: str, file: str) -> None:
    """Records or verifies, as the command line says."""
    if action == "record":
        entries = [recorded(expression) for expression in (*SPACES, *SPECS)]
        Path(file).write_text(json.dumps(entries, indent=1) + "\n")
        return
    for entry in json.loads(Path(file).read_text()):
        try:
            found = differences(entry)
        except Exception as error:
            found = [f"raises {error!r}"]
        for difference in found:
            print(f"{entry['expression']}: {difference}")


if __name__ == "__main__":
    main(*sys.argv[1:])
