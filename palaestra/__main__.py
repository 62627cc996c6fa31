"""`python -m gymnasium`."""

from __future__ import annotations

import sys

from gymnasium.cli import main

sys.exit(main())
