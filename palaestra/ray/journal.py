"""The requests to an actor since its last checkpoint: another actor repeats them when it has died."""

from __future__ import annotations

from typing import Any

from gymnasium.vector._batch.beginnings import CHECKS, HOLD, OPTIONS, joined_params
from palaestra.ray.protocol import CALL, GET_STATES, RESET, SET, Answer, Request, Resumption

_DRAWS = "render"  # the one method without a result that changes no attributes


class Journal:
    """The answered requests to one actor that its checkpoint does not contain, in order.

    Attributes:
        can_keep: Whether there can be checkpoints; if not, the requests reach back to a reset with seeds.
    """

    def __init__(self) -> None:
        self.can_keep = True
        self._settings: list[Request] = []
        self._checkpoint: bytes | None = None
        self._past: list[Request] = []

    def answered(self, request: Request, answer: Answer) -> str:
        """Note an answer. Returns the reason if it tells, for the first time, that there can be no checkpoints."""
        if request.kind != GET_STATES and not (request.kind == CALL and request.contents[0] == _DRAWS):
            if not self.can_keep and _begins_anew(request):
                self._forget(None)
            self._past.append(request if request.kind != CALL else _with_effect(request, answer))
        if answer.kept is None:
            return ""
        if answer.kept.contents is not None:
            self._forget(answer.kept.contents)
            return ""
        self.can_keep = False
        for k in reversed(range(len(self._past))):
            if _begins_anew(self._past[k]):
                later, self._past = self._past[k:], self._past[:k]
                self._forget(None)
                self._past = later
                break
        return answer.kept.refusal

    def resumption(self, observations: Any) -> Resumption:
        """Returns the way to the moment of the last answer, whose observations are these."""
        return Resumption(list(self._settings), self._checkpoint, list(self._past), observations)

    def _forget(self, checkpoint: bytes | None) -> None:
        """Forget the requests up to a checkpoint, but for those whose effect lasts."""
        for request in self._past:
            if request.kind == SET and request.contents[0] in (OPTIONS, *CHECKS):  # of which nothing lasts
                continue
            if request.kind == SET and request.contents[0] != HOLD:
                before, self._settings = self._settings, []
                for old in before:
                    if old.kind != SET or old.contents[0] != request.contents[0]:
                        self._add(old)
            if request.kind == SET or (request.kind == CALL and request.number < 0):
                self._add(request)
        self._past = []
        self._checkpoint = checkpoint

    def _add(self, request: Request) -> None:
        """Add a request whose effect lasts; two in turn that set params become one."""
        if self._settings and _sets_params(self._settings[-1]) and _sets_params(request):
            joined = joined_params(self._settings.pop().contents[1], request.contents[1])
            request = request._replace(contents=(HOLD, joined))
        self._settings.append(request)


def _sets_params(request: Request) -> bool:
    return request.kind == SET and request.contents[0] == HOLD


def _with_effect(request: Request, answer: Answer) -> Request:
    """Returns a call, marked by a negative number if it only changes the environment: all results are None."""
    quiet = answer.failure is None and all(value is None for value in answer.value)
    return request._replace(number=-1) if quiet else request


def _begins_anew(request: Request) -> bool:
    """Whether a request resets all environments, each with a seed."""
    if request.kind != RESET:
        return False
    seeds, options = request.contents
    seeded = seeds is not None and all(seed is not None for seed in seeds)
    return seeded and not (isinstance(options, dict) and "reset_mask" in options)
