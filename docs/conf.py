"""Sphinx's configuration: `make docs` builds the pages into docs/_build, warnings being errors."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs._tools.atari import write_atari
from docs._tools.blocks import make_pictures
from docs._tools.commands import with_output
from docs._tools.environments import write_environments
from docs._tools.language import write_language
from docs._tools.measured import write_measured
from docs._tools.reference import drop_empty_bases, listed_attributes, process_bases, process_signature, shorten_types
from docs._tools.third_party import write_third_party
from gymnasium import __version__

DOCS = Path(__file__).parent

project = "Palaestra"
author = "The Palaestra developers"
project_copyright = f"2026, {author}"
release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
]
exclude_patterns = ["_build", "_generated", "_tools"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
napoleon_numpy_docstring = False
# Of a terminal's lines, the commands are copied, without their prompt and output.
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "furo"
pygments_dark_style = "github-dark"
html_title = "Palaestra"
html_logo = "_static/logo.svg"
html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["palaestra.css"]


def plain_to_rst(app: Any, what: str, name: str, of: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are written to be read in the source; give Sphinx the marks it needs, in place."""
    text = "\n".join(lines)
    prose, *sections = re.split(r"^(?=(?:Args|Attributes|Returns|Raises):$)", text, maxsplit=1, flags=re.MULTILINE)
    # An indented block is code, or a drawing.
    prose = re.sub(r"^(\S.*?)(:?)\n\n(?=    \S)", _before_code, prose, flags=re.MULTILINE)
    text = "".join([prose, *sections])
    # `code` may stand before an `s`: the escaped space ends the mark and is not shown.
    text = re.sub(r"(?<!`)`([^`]+)`(?!`)", _code, text)
    # `NAME: meaning` lines, of an enum, are a list; napoleon knows only its own sections.
    text = re.sub(r"^([A-Z]+(?:_[A-Z]+)*): (.*(?:\n    .*)*)", _list_item, text, flags=re.MULTILINE)
    # Napoleon takes the text before the first colon of `Returns:` for a type; types are in the signature.
    text = re.sub(r"^Returns:\n(?=    )", ":returns:\n", text, flags=re.MULTILINE)
    lines[:] = listed_attributes(text).split("\n")


def _code(match: re.Match[str]) -> str:
    """Returns code; the full name of something in the packages links to its entry, if it has one."""
    full = re.fullmatch(r"(?:gymnasium|palaestra)(\.\w+)+", match[1])
    return f":py:obj:`{match[1]}`\\ " if full else f"``{match[1]}``\\ "


def _before_code(match: re.Match[str]) -> str:
    return f"{match[1]}::\n\n" if match[2] else f"{match[1]}\n\n::\n\n"


def _list_item(match: re.Match[str]) -> str:
    return f"- ``{match[1]}``: " + match[2].replace("\n    ", "\n  ")


def skip_fields(app: Any, what: str, name: str, of: Any, skip: bool, options: Any) -> bool | None:
    """Leave the fields of NamedTuples out, which have nothing to say beyond their class's docstring."""
    return True if (getattr(of, "__doc__", None) or "").startswith("Alias for field") else None


def write_pages(app: Any) -> None:
    """Make the files outside the repository: the environments' pages, tables of others, and all pictures."""
    write_environments(DOCS)
    write_atari(DOCS)
    write_third_party(DOCS)
    write_measured(DOCS)
    write_language(DOCS)
    make_pictures(DOCS)


def add_output(app: Any, name: str, source: list[str]) -> None:
    """Add the output of the commands to the page about them."""
    if name == "palaestra/command_line":
        source[0] = with_output(DOCS / f"{name}.md", DOCS / "_generated" / "command_line", source[0])


def add_root_files(app: Any, name: str, source: list[str]) -> None:
    """Put files of the repository's root in place of their `include`, with links to pages instead of to each other."""

    def text(match: re.Match[str]) -> str:
        file = DOCS.parent / match[1]
        app.env.note_dependency(str(file), docname=name)
        written = file.read_text(encoding="utf-8").replace("](docs/", "](")
        return re.sub(r"\]\(([A-Z]+\.md)\)", lambda link: f"]({link[1].lower()})", written)

    source[0] = re.sub(r"^```\{include\} \.\./(\w+\.md)\n```$", text, source[0], flags=re.MULTILINE)


def setup(app: Any) -> None:
    """Sphinx calls this; 400 comes before napoleon, which reads the sections."""
    app.connect("autodoc-process-docstring", plain_to_rst, priority=400)
    app.connect("autodoc-skip-member", skip_fields)
    app.connect("autodoc-process-signature", process_signature)
    app.connect("autodoc-process-bases", process_bases)
    app.connect("doctree-read", drop_empty_bases)
    shorten_types()
    if Path(app.srcdir) == DOCS:  # the reference can be built alone
        app.connect("builder-inited", write_pages)
    app.connect("source-read", add_output)
    app.connect("source-read", add_root_files)
