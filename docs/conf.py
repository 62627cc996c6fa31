"""Sphinx's configuration: `make docs` builds the pages into docs/_build, warnings being errors."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from gymnasium import __version__

project = "Palaestra"
author = "The Palaestra developers"
project_copyright = f"2026, {author}"
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}
python_use_unqualified_type_names = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = f"Palaestra {release}"


def plain_to_rst(app: Any, what: str, name: str, of: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are written to be read in the source; give Sphinx the marks it needs, in place."""
    text = "\n".join(lines)
    # An indented block after a colon is code, or a drawing.
    text = re.sub(r":\n\n(?=    )", "::\n\n", text)
    # `code` may stand before an `s`: the escaped space ends the mark and is not shown.
    text = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``\\ ", text)
    lines[:] = text.split("\n")


def setup(app: Any) -> None:
    """Sphinx calls this; 400 comes before napoleon, which reads the sections."""
    app.connect("autodoc-process-docstring", plain_to_rst, priority=400)
