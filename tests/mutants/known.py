"""Faults that change nothing that anyone could see."""

from __future__ import annotations

from typing import Final

EQUIVALENT: Final[dict[tuple[str, str, str], str]] = {
    (
        "gymnasium/envs/classic_control/drawing/cartpole.py",
        "STRIPE_COLOR: Final = (240, 180, 52)",
        "240  ->  241",
    ): "a level of red in a thin stripe",
    (
        "gymnasium/envs/toy_text/drawing/blackjack.py",
        "SHADOW_COLOR: Final = (120, 146, 92, 120)",
        "146  ->  147",
    ): "half a level of green, since it is half transparent",
    (
        "gymnasium/envs/toy_text/drawing/blackjack.py",
        "BIG_DIGIT: Final = (36, 60)",
        "60  ->  61",
    ): "only its half is used, in integers",
    (
        "gymnasium/envs/toy_text/drawing/cards.py",
        "BACK_LINES: Final = (112, 142, 192)",
        "112  ->  113",
    ): "a level of red in thin lines",
    (
        "gymnasium/envs/toy_text/drawing/cliffwalking.py",
        "tile.polyline([(40, 14), (37, 23), (39, 30)], ROCK_COLORS[2], 1.5)",
        "39  ->  40",
    ): "the end of a thin crack in the rock, by a pixel",
    (
        "gymnasium/envs/toy_text/drawing/cliffwalking.py",
        "tile.ellipse((46, 48), 6, 4, (0, 0, 0, 30))",
        "0  ->  1",
    ): "an eighth of a level, since it is nearly transparent",
    (
        "gymnasium/envs/toy_text/drawing/frozen_lake.py",
        "tile.polyline([(20, 24), (27, 20), (34, 19)], (150, 196, 226), 2)",
        "196  ->  197",
    ): "a level of green in a thin line",
    (
        "gymnasium/envs/toy_text/drawing/taxi_figures.py",
        "SHADOW: Final = (20, 24, 36, 70)",
        "36  ->  37",
    ): "a quarter of a grey level, since it is nearly transparent",
    (
        "gymnasium/envs/toy_text/drawing/taxi_figures.py",
        "brush.rectangle(x + 5.7, 53.5, 1.6, 11, (118, 96, 84))",
        "118  ->  119",
    ): "a level of red in a thin bar",
    (
        "palaestra/recording/data_sets/encoding.py",
        "width = _CHUNK_NODE * 8 + (_CHUNK_NODE + 1) * (8 + 8 * (len(shape) + 2))",
        "2  ->  3",
    ): "nodes of the tree end with a few more unused bytes",
    (
        "palaestra/recording/data_sets/index.py",
        'self._offsets: dict[bytes, int] = {b"": 0}',
        "0  ->  1",
    ): "the heap begins with eight zeros, so that the empty name is at 1, too",
    (
        "palaestra/recording/data_sets/index.py",
        'return versions + addresses + struct.pack("<QQII16x", 0, root, 0, 0)',
        "0  ->  1",
    ): "the last number is reserved, and no reader looks at it",
    (
        "gymnasium/spaces/bounds.py",
        "outside |= given >= float(most + 1)",
        "1  ->  2",
    ): "both round to the same float wherever `given > most` does not tell already",
    (
        "gymnasium/transforms/discretize.py",
        "index: NDArray[np.int64] = np.clip(given.reshape(len(given), -1), 0, np.subtract(over.bins, 1))",
        "1  ->  2",
    ): "NumPy takes any negative length for the one that fits",
    (
        "gymnasium/transforms/flattening.py",
        "return _marked(space, values.reshape(len(values), -1), space.start.ravel(), space.nvec.ravel())",
        "1  ->  2",
    ): "NumPy takes any negative length for the one that fits",
    (
        "gymnasium/transforms/moments.py",
        "_LARGE = 1 << 14",
        "1  ->  2",
    ): "another size from which the faster way is taken, which agrees with the other up to rounding",
    (
        "gymnasium/transforms/moments.py",
        "_LARGE = 1 << 14",
        "14  ->  15",
    ): "another size from which the faster way is taken, which agrees with the other up to rounding",
    (
        "gymnasium/transforms/rescale.py",
        "if ((mapped < box.low) | (mapped > box.high)).any():",
        "mapped > box.high  ->  mapped >= box.high",
    ): "clips values that clipping does not change",
    (
        "gymnasium/utils/env_checker/_processes.py",
        "env = as_numpy(make(cloudpickle.loads(question.read_bytes()), disable_env_checker=True).unwrapped)",
        "True  ->  False",
    ): "the checker is a wrapper, which `unwrapped` takes off",
    (
        "gymnasium/utils/passive_env_checker/_reuse.py",
        'for name, before, now in zip(("observation", "info"), previous_data, data, strict=True):',
        "True  ->  False",
    ): "all are pairs",
    (
        "gymnasium/utils/play/_plot.py",
        "for axis, name in zip(self.ax, plot_names, strict=True):",
        "True  ->  False",
    ): "there are as many axes as names",
    (
        "gymnasium/wrappers/vector/_recent.py",
        "_BATCHES = 64",
        "64  ->  65",
    ): "a little more memory before the queues are filled",
}
"""Why, by path, line and what was changed."""
