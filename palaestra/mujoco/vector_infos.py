"""The infos of a batch, built from columns with the result of `gymnasium.vector._batch.infos`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


def has_any(mask: Mask) -> bool:
    """Returns whether any row is set, in a tenth of the time of `mask.any()`."""
    return mask.tobytes() != bytes(mask.size)  # a mask of the user's may have other bytes than 1 for True


def has_all(mask: Mask) -> bool:
    """Returns whether every row is set."""
    return b"\0" not in mask.tobytes()


class Reports:
    """Writes infos in the requested detail.

    Args:
        detail: `"full"`, `"rewards"` (keys that begin with `reward`) or `"none"`.
        n: The number of environments.

    Raises:
        ValueError: If the detail is none of these.
    """

    def __init__(self, detail: str, n: int) -> None:
        if detail not in ("full", "rewards", "none"):
            raise ValueError(f"infos must be 'full', 'rewards' or 'none', but {detail!r} came")
        self.detail = detail
        self.n = n

    def add(self, infos: dict[str, Any], info: dict[str, Any], mask: Mask) -> None:
        """Write the reports of the environments of a mask into `infos`.

        Args:
            infos: The infos of the batch so far.
            info: Their report: under each key a value, or an array of n of them.
            mask: The environments that report it.
        """
        if self.detail == "none" or not has_any(mask):
            return
        everybody = has_all(mask)
        for key, values in info.items():
            if self.detail == "full" or key.startswith("reward"):
                self._add_column(infos, key, np.asarray(values), mask, everybody)

    def _add_column(self, infos: dict[str, Any], key: str, values: np.ndarray, mask: Mask, everybody: bool) -> None:
        if values.ndim == 0:
            values = np.full(self.n, values)
        if everybody:
            # A copy, because it may be a view of a running simulation, or be stored under another key too.
            infos[key], infos[f"_{key}"] = values.copy(), mask.copy()
            return
        if key not in infos:
            infos[key], infos[f"_{key}"] = np.zeros_like(values), np.zeros(self.n, np.bool_)
        infos[key][mask] = values[mask]
        infos[f"_{key}"] |= mask

    def end(
        self, infos: dict[str, Any], observations: np.ndarray, info: dict[str, Any], unstable: Mask, ended: Mask
    ) -> None:
        """Write the last observations, and infos, of the episodes that ended."""
        final = np.full(self.n, None, object)
        for i in np.flatnonzero(ended):
            final[i] = observations[i].copy()
        infos["final_obs"], infos["_final_obs"] = final, ended.copy()
        if self.detail != "none":
            last: dict[str, Any] = {}
            self.add(last, info, ended)
            self.add(last, {"unstable": True}, unstable & ended)
            infos["final_info"], infos["_final_info"] = last, ended.copy()


def rows_of(infos: dict[str, Any], ids: NDArray[np.integer]) -> dict[str, Any]:
    """Returns the infos of some environments, in this order."""
    return {key: rows_of(value, ids) if isinstance(value, dict) else value[ids] for key, value in infos.items()}
