"""The result of a comparison of an episode with its replay."""

from __future__ import annotations

from typing import Any, NamedTuple


class Verification(NamedTuple):
    """Whether an episode that ran again is the recorded one, to the bit. True if it is.

    Attributes:
        steps: The number of steps that ran.
        step: The first step that differs, from 1; 0 for the beginning; None if none does.
        value: The value that differs there, such as `observation['goal']` or `reward`; None if none does.
        recorded: That value when it was recorded; of an observation, its digest.
        found: That value now.
        made_on: The versions and the machine by which the episode was recorded.
        here: Those of now.
    """

    steps: int
    step: int | None
    value: str | None
    recorded: Any
    found: Any
    made_on: dict[str, str]
    here: dict[str, str]

    def __bool__(self) -> bool:
        return self.step is None

    @property
    def changes(self) -> dict[str, tuple[str, str]]:
        """The versions and parts of the machine that differ, each as it was and as it is."""
        names = dict.fromkeys([*self.made_on, *self.here])
        pairs = {name: (self.made_on.get(name, "none"), self.here.get(name, "none")) for name in names}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

    def __str__(self) -> str:
        """Returns the result as a sentence."""
        if self:
            steps = "step is" if self.steps == 1 else "steps are"
            return f"all {self.steps} {steps} the recorded ones"
        place = f"step {self.step}" if self.step else "the beginning"
        changes = ", ".join(f"{name} {was} -> {now}" for name, (was, now) in self.changes.items())
        return f"{self.value} differs at {place}: {self.recorded} was recorded, {self.found} came; " + (
            f"changed since: {changes}" if changes else "versions and machine are those of the record"
        )
