"""Makes the picture of a report that the README shows: ``python docs/picture.py PAGE FILE.png``."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

COLOURS = 64


def draw(report: Path, picture: Path, section: str = "curves") -> None:
    """Open a report in Chromium and write what one sees of a section."""
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(
            viewport={"width": 1000, "height": 545}, reduced_motion="reduce", color_scheme="light"
        )
        page.goto(report.resolve().as_uri())
        page.locator(f"#{section}").evaluate("heading => heading.scrollIntoView()")
        page.wait_for_timeout(300)
        page.screenshot(path=picture)
        browser.close()
    Image.open(picture).convert("RGB").quantize(COLOURS).save(picture, optimize=True)


if __name__ == "__main__":
    draw(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
