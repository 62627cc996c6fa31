"""The built pages in a browser, on a screen as narrow as a phone's; skipped without pages, playwright or Chromium."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

import pytest

BUILT = Path(__file__).parents[2] / "docs" / "_build"
PAGES = [
    page
    for page in sorted(BUILT.rglob("*.html"))
    if not {"_static", "_modules"}.intersection(page.relative_to(BUILT).parts)
]
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
WIDTH = 400

pytestmark = pytest.mark.skipif(not PAGES or not CHROMIUM, reason="needs `make docs` and Chromium")


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.mark.timeout(600)
def test_pages_fit_a_phone_report_no_errors_and_link_to_what_exists(browser):
    """Tables and code scroll in their own boxes, so that no page is wider than the screen."""
    phone = browser.new_page(viewport={"width": WIDTH, "height": 800})
    errors: list[str] = []
    phone.on("pageerror", lambda error: errors.append(str(error)))
    phone.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    wide, faulty, links = {}, {}, {}
    for page in PAGES:
        errors.clear()
        phone.goto(page.as_uri())
        width = phone.evaluate("document.documentElement.scrollWidth")
        if width > WIDTH:
            wide[page.name] = width
        if errors:
            faulty[page.name] = list(errors)
        links[page] = phone.eval_on_selector_all("a[href], img[src]", "all => all.map(e => e.href || e.src)")
    targets = {target: page for page, found in links.items() for target in found if target.startswith("file:")}
    broken = {target: page.name for target, page in targets.items() if not _exists(target)}
    assert (wide, faulty, broken) == ({}, {}, {})


def _exists(target: str) -> bool:
    """Whether there is such a file, and in it such a heading."""
    address, fragment = urldefrag(target)
    file = Path(unquote(urlparse(address).path))
    if not file.is_file():
        return False
    return not fragment or file.suffix != ".html" or f'id="{unquote(fragment)}"' in file.read_text(encoding="utf-8")


def test_code_can_be_copied(browser):
    page = browser.new_page()
    page.goto((BUILT / "index.html").as_uri())
    assert page.locator("article .highlight button.copybtn").count() == page.locator("article .highlight").count() > 0
