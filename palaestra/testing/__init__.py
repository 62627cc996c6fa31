"""Whether dynamics keep the laws of every `FuncEnv`, and which runners accept them.

    from palaestra.testing import check_func_env

    print(check_func_env(MyFuncEnv))

This prints the runners that accept the dynamics, and the reasons of the others.
"""

from __future__ import annotations

from palaestra.testing.checking import check_func_env, compiled_gives_the_same
from palaestra.testing.runners import Checked, Verdict, runners_of

__all__ = ["Checked", "Verdict", "check_func_env", "compiled_gives_the_same", "runners_of"]
