"""The rules of the checks. The messages are in the checks, each after its rule's id."""

from __future__ import annotations

from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]
"""An error breaks programs, a warning may break them, a note is a matter of taste or marks a skipped check."""


class Rule(NamedTuple):
    """A rule of the interface.

    Attributes:
        severity: Its severity.
        remedy: The way to fix a violation.
    """

    severity: Severity
    remedy: str


_E: Severity = "error"
_W: Severity = "warning"
_N: Severity = "note"

RULES: dict[str, Rule] = {
    # The whole
    "G001": Rule(_E, "let the class inherit from gymnasium.Env"),
    "G002": Rule(_W, "check env.unwrapped: the effects of a wrapper hide those of the environment"),
    "G003": Rule(_E, "fix the constructor, or the arguments registered with the id"),
    # Spaces
    "G100": Rule(_E, "let the spaces be plain attributes that can be read right after construction"),
    "G101": Rule(_E, "set self.action_space in the constructor, or on the class"),
    "G102": Rule(_E, "set self.observation_space in the constructor, or on the class"),
    "G103": Rule(_E, "use a class of gymnasium.spaces"),
    "G104": Rule(_E, "give Discrete at least one value"),
    "G105": Rule(_E, "leave the shape of a Discrete alone; several discrete values are a MultiDiscrete"),
    "G106": Rule(_E, "leave the shape of a MultiDiscrete alone: it is that of nvec"),
    "G107": Rule(_E, "give each part of the MultiDiscrete at least one value"),
    "G108": Rule(_E, "give the MultiBinary at least one bit"),
    "G109": Rule(_E, "put at least one space into the Tuple or Dict, or use another space"),
    "G110": Rule(_E, "leave low and high of a Box as its constructor makes them"),
    "G111": Rule(_W, "leave the constant part out of the space"),
    "G112": Rule(_E, "swap low and high"),
    "G113": Rule(_N, "give the finite lower bound, if there is one: scaling wrappers and networks need it"),
    "G114": Rule(_N, "give the finite upper bound, if there is one: scaling wrappers and networks need it"),
    "G115": Rule(_N, "use [-1, 1] and scale inside; gymnasium.wrappers.RescaleAction does it from outside"),
    # Reset
    "G201": Rule(_E, "fix reset(); it must work at any time, also before the end of an episode"),
    "G202": Rule(_E, "declare `def reset(self, *, seed=None, options=None)`"),
    "G203": Rule(_W, "write `seed=None`; another default makes every episode the same"),
    "G204": Rule(_E, "declare `def reset(self, *, seed=None, options=None)`"),
    "G205": Rule(_W, "drop `return_info` and always return (observation, info)"),
    "G206": Rule(_W, "drop the method `seed`; the seed comes with reset(seed=...)"),
    "G207": Rule(_E, "return (observation, info)"),
    "G208": Rule(_E, "return (observation, info)"),
    "G211": Rule(_E, "let reset() take any dict as options, also an empty one"),
    "G212": Rule(_E, "begin reset() with super().reset(seed=seed), and draw from self.np_random only"),
    "G213": Rule(_E, "draw all randomness of reset() from self.np_random"),
    "G214": Rule(_E, "set everything in reset() anew, and draw from self.np_random only"),
    "G215": Rule(_W, "look for sums in changing order, unordered sets or parallel code"),
    "G216": Rule(_E, "draw equally many numbers after equal seeds; nothing else may draw from self.np_random"),
    "G217": Rule(_E, "pass the seed on: super().reset(seed=seed)"),
    "G218": Rule(_E, "accept an int as seed, and pass it on to super().reset(seed=seed)"),
    "G219": Rule(_E, "draw from self.np_random: seeds reach neither `random` nor `np.random`'s own functions"),
    # Step
    "G301": Rule(_E, "fix step(); it must take every action of the action space"),
    "G302": Rule(_E, "return the tuple (observation, reward, terminated, truncated, info)"),
    "G303": Rule(_E, "split `done` into `terminated` (the task is over) and `truncated` (cut short)"),
    "G304": Rule(_E, "return (observation, reward, terminated, truncated, info)"),
    "G305": Rule(_W, "convert it with bool(...)"),
    "G306": Rule(_W, "convert it with float(...)"),
    "G307": Rule(_E, "look for a 0/0 or an inf - inf in the reward"),
    "G308": Rule(_W, "bound the reward, for instance before a division or an exponential"),
    "G309": Rule(_E, "draw equally many numbers for equal states and actions"),
    "G310": Rule(_E, "draw all randomness of step() from self.np_random, and set everything in reset() anew"),
    "G311": Rule(_E, "draw all randomness of step() from self.np_random, and set everything in reset() anew"),
    "G312": Rule(_E, "let the end depend on state, action and self.np_random only; reset all counters"),
    "G313": Rule(_E, "return the bool False until the episode is cut short; make() adds time limits by itself"),
    "G314": Rule(_E, "leave clocks, ids and counters over episodes out of the info"),
    "G315": Rule(_W, "look for sums in changing order, unordered sets or parallel code"),
    "G316": Rule(_E, "return one number, such as float(reward.sum())"),
    # Observations and infos
    "G401": Rule(_W, "convert it with int(...)"),
    "G402": Rule(_E, "convert it with np.array(..., dtype=self.observation_space.dtype)"),
    "G403": Rule(_E, "convert it with .astype(...) to the dtype of its space"),
    "G404": Rule(_W, "convert it with tuple(...)"),
    "G405": Rule(_E, "return one part for each space of the Tuple"),
    "G406": Rule(_E, "return a dict with the keys of the space"),
    "G407": Rule(_E, "return exactly the keys of the space"),
    "G408": Rule(_E, "widen the space, or change the returned value"),
    "G409": Rule(_E, "return a value of the space's type, dtype and shape"),
    "G410": Rule(_E, "return a dict, {} if there is no information"),
    "G411": Rule(_E, "return a copy, for instance self.state.copy() or dict(self.info)"),
    # Rendering
    "G501": Rule(_E, "fix render(); it must work right after reset()"),
    "G502": Rule(_W, 'write `metadata = {"render_modes": [...], "render_fps": ...}` on the class'),
    "G503": Rule(_W, "use a list of strings"),
    "G504": Rule(_W, "use a list of strings"),
    "G505": Rule(_W, 'add "render_fps" to metadata'),
    "G506": Rule(_W, "use an int or a float"),
    "G507": Rule(_E, "use the number of frames per second of simulated time"),
    "G508": Rule(_E, 'add the mode to metadata["render_modes"], or do not set it'),
    "G509": Rule(_W, 'show the frame and return None in the mode "human"'),
    "G510": Rule(_W, "return a str"),
    "G511": Rule(_W, "return the list of frames since the last call"),
    "G512": Rule(_E, "return a NumPy array"),
    "G513": Rule(_W, "return an array of shape (height, width)"),
    "G514": Rule(_W, "convert it with .astype(np.uint8), values from 0 to 255"),
    "G515": Rule(_W, "return an array of shape (height, width, 3)"),
    "G516": Rule(_N, "register the environment and make it by its id"),
    "G517": Rule(_E, "take `render_mode` in the constructor, and keep it as self.render_mode"),
    "G518": Rule(_N, "install the missing library, or check where there is a display; `palaestra doctor` says more"),
    "G520": Rule(_E, "let render() only read: it may neither change the state nor draw from self.np_random"),
    "G521": Rule(_W, "keep one size for all frames; videos cannot change theirs"),
    # Closing
    "G601": Rule(_E, "fix close(); it must work before any reset() too"),
    "G602": Rule(_W, "let close() do nothing the second time"),
    # Deep
    "G701": Rule(_E, "look for hash() of strings, the order of sets, addresses, clocks and files"),
    "G702": Rule(_W, "keep unpicklable objects out of the attributes, or inherit from gymnasium.utils.EzPickle"),
    "G703": Rule(_E, "let the pickle hold everything that reset() does not set anew"),
    "G704": Rule(_W, "define __deepcopy__, or keep objects that cannot be copied out of the attributes"),
    "G705": Rule(_W, "define __deepcopy__ such that the copy has its own parts, which refer to each other"),
    "G706": Rule(_E, "let step() take every action of the action space, in any order"),
    "G707": Rule(_E, "copy the action before changing it"),
    "G708": Rule(_W, "refuse it, for instance by `if not self.action_space.contains(action): raise ...`"),
    # Dynamics
    "G801": Rule(_E, "keep to the laws of gymnasium.functional.laws"),
    "G802": Rule(_E, "let the dynamics take every action in every state that they lead to"),
}
