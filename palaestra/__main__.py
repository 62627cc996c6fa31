"""`python -m palaestra`."""

from __future__ import annotations

import sys

from palaestra.cli import main

sys.exit(main())
