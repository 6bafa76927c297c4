"""The page in a real browser: by mouse, by keyboard, and for everyone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import requests

from tests import browsers
from tests.browsers import DESKTOP, PHONE
from tests.conftest import PATIENCE, ROOT
from tests.pages import blocks_of
from tests.serving.servers import Server

TEXT = "A large dog ran home.  It was strong 😀 and a *star*.\nDone!"


def opened(browser: Any, server: Server, **options: Any) -> Any:
    return browsers.opened(browser, server.url, server.url, **options)


def write(page: Any, text: str = TEXT) -> None:
    page.fill("#text", text)
    page.wait_for_function(
        "text => document.getElementById('words').textContent === text", arg=text
    )


def choices(page: Any) -> list[str]:
    page.wait_for_selector("#list button")
    found: list[str] = page.locator("#list .form").all_inner_texts()
    return found


def marked(text: str, word: str) -> str:
    return text.replace(word, f"*{word}*")


def test_a_word_is_replaced_by_mouse(browser: Any, server: Server) -> None:
    direct = server.ask({"sentence": "A *large* dog ran home.", "n": 8}).json()["suggestions"]
    with opened(browser, server) as page:
        write(page)
        page.click(".word:text-is('large')")
        assert choices(page) == [one["form"] for one in direct]
        reasons = page.locator("#list .reasons").all_text_contents()
        assert [r.lstrip(", ") for r in reasons] == ["; ".join(one["reasons"]) for one in direct]
        assert page.locator("#about").inner_text().startswith("Taken for the adjective “large”")
        # What it would look like, while it is not chosen yet.
        page.hover(f"#list .form:text-is('{direct[1]['form']}')")
        seen = TEXT.replace("A large dog ran home.", direct[1]["sentence"])
        assert page.locator("#words").evaluate("node => node.textContent") == seen
        assert page.input_value("#text") == TEXT
        page.click(f"#list .form:text-is('{direct[1]['form']}')")
        assert page.input_value("#text") == seen
        assert page.evaluate("document.activeElement.textContent") == direct[1]["form"]
        assert direct[1]["form"] in page.inner_text("#status")
        page.click("#undo")
        assert page.input_value("#text") == TEXT
        assert page.is_disabled("#undo")


BOXES = """() => ["choices", "text"].map(id => {
  const box = document.getElementById(id).getBoundingClientRect();
  return [box.top, box.bottom];
})"""


@pytest.mark.parametrize("height", [500, 700, 900])
def test_the_choices_never_cover_the_text(browser: Any, server: Server, height: int) -> None:
    with opened(browser, server, viewport={"width": 1000, "height": height}) as page:
        write(page)
        for word in ("large", "strong", "star"):
            page.click(f".word:text-is('{word}')")
            page.wait_for_selector("#list button")
            (top, bottom), (_, end) = page.evaluate(BOXES)
            assert top >= end
            assert 100 < bottom - top < height
            assert bottom <= height
            page.click("#close")


def test_no_choice_comes_to_stand_behind_the_dialog(browser: Any, server: Server) -> None:
    with opened(browser, server, viewport={"width": 700, "height": 900}) as page:
        # A long substitute of the last word of a line goes to the next line.
        for length in range(8, 58, 7):
            write(page, f"{'x ' * length}was large enough.")
            page.click(".word:text-is('large')")
            for form in choices(page):
                page.locator(f"#list button:has(.form:text-is('{form}'))").focus()
                word, dialog = (page.locator(part).bounding_box() for part in ("mark", "#choices"))
                assert word["y"] + word["height"] <= dialog["y"], (length, form)
            page.click("#close")


def test_no_click_is_lost_when_marks_come(browser: Any, server: Server) -> None:
    with opened(browser, server) as page:
        held: list[Any] = []
        page.route("**/text", lambda route: held.append(route))
        with page.expect_request("**/text"):
            write(page)
        page.hover(".word:text-is('large')")
        page.mouse.down()
        held[0].continue_()
        page.wait_for_selector("#good")
        page.mouse.up()
        assert choices(page)
        page.unroute("**/text")


@pytest.mark.parametrize("how", ["#close", "#choices"])
def test_the_words_are_back_as_soon_as_the_choices_are_gone(
    browser: Any, server: Server, how: str
) -> None:
    """A click that comes before the browser tells of the closed dialog finds its word."""
    with opened(browser, server) as page:
        write(page)
        words = page.locator("#words").inner_text()
        page.click(".word:text-is('large')")
        choices(page)
        assert page.locator("#words mark").count() == 1
        left = page.evaluate("""how => {
          document.querySelector(how).click();
          const before = document.getElementById("words").textContent;
          const word = document.querySelectorAll(".word")[1];
          return new Promise(done => setTimeout(() => done([before, word.isConnected]), 100));
        }""", how)  # fmt: skip
        assert left == [words, True]


@pytest.mark.parametrize(
    ("now", "chosen"),
    [
        (f"Big dogs ran. {TEXT}", "large"),
        (f"{TEXT} Big dogs ran.", "large"),
        (TEXT.replace("A ", "The very "), "large"),
        (TEXT.replace("large", "small"), ""),
        (TEXT.replace("large", "larger"), ""),
        ("Hi.", ""),
        ("", ""),
    ],
)
def test_a_word_chosen_right_after_writing_is_the_one_replaced(
    browser: Any, server: Server, now: str, chosen: str
) -> None:
    with opened(browser, server) as page:
        write(page)
        page.evaluate("""now => {
          const text = document.getElementById("text");
          text.value = now;
          text.dispatchEvent(new Event("input"));
          document.querySelectorAll(".word")[1].click();
        }""", now)  # fmt: skip
        assert page.is_visible("#choices") == bool(chosen)
        if chosen:
            assert page.inner_text("#choices-title") == f"Instead of “{chosen}”"
            form = choices(page)[0]
            page.click("#list button >> nth=0")
            assert page.input_value("#text") == now.replace(chosen, form)
        else:
            assert page.evaluate("document.getElementById('words').textContent") == now


@pytest.mark.parametrize("other", ["ran", "strong"])
def test_nothing_of_a_word_is_left_when_the_next_one_is_chosen_at_once(
    browser: Any, server: Server, other: str
) -> None:
    """The browser closes the choices on Escape, and tells of it a little later."""
    with opened(browser, server) as page:
        write(page)
        page.click(".word:text-is('large')")
        choices(page)
        page.evaluate("""other => {
          document.getElementById("choices").close();
          shown.find(({ node }) => node.textContent === other).node.click();
        }""", other)  # fmt: skip
        page.wait_for_selector("#list button:focus")
        assert page.inner_text("#choices-title") == f"Instead of “{other}”"
        expanded = page.locator(".word[aria-expanded=true]")
        assert expanded.all_inner_texts() in ([other], [])  # in a preview its word is not there
        page.click("#close")
        assert page.locator("#words").evaluate("node => node.textContent") == TEXT
        assert expanded.count() == 0


def test_what_is_hovered_does_not_look_chosen(browser: Any, server: Server) -> None:
    colour = "node => getComputedStyle(node).backgroundColor"
    with opened(browser, server) as page:
        write(page)
        page.click(".word:text-is('large')")
        first, second, third = (page.locator("#list button").nth(n) for n in range(3))
        first.wait_for()
        assert page.evaluate("document.activeElement.className") == "choice"
        second.hover()
        assert second.evaluate(colour) == third.evaluate(colour) != first.evaluate(colour)
        page.hover("#choices-title")
        looked_at = first.locator(".form").inner_text()
        assert page.locator("#words mark").inner_text() == looked_at


def test_a_word_is_replaced_by_keyboard(browser: Any, server: Server) -> None:
    with opened(browser, server) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "text"
        page.keyboard.insert_text(TEXT)
        page.wait_for_selector(".word")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "A"
        for key, reached in [
            ("End", "Done"), ("ArrowUp", "A large"), ("Home", "A"), ("ArrowLeft", "A"),
            ("ArrowDown", "Done"), ("ArrowLeft", "star"), ("ArrowRight", "Done"), ("Home", "A"),
            ("ArrowRight", "large"),
        ]:  # fmt: skip
            page.keyboard.press(key)
            # What is above depends on the font.
            assert page.evaluate("document.activeElement.textContent") in reached.split(), key
        page.keyboard.press("Enter")
        forms = choices(page)
        focused = "document.activeElement.querySelector('.form')?.textContent"
        page.wait_for_selector("#list button:focus")
        assert page.evaluate(focused) == forms[0]
        page.keyboard.press("ArrowDown")
        assert page.evaluate(focused) == forms[1]
        page.keyboard.press("End")
        assert page.evaluate(focused) == forms[-1]
        page.keyboard.press("Escape")
        assert not page.is_visible("#choices")
        assert page.input_value("#text") == TEXT
        # The browser hides the choices first and tells of it a little later.
        page.wait_for_function(
            "whole => document.querySelector('#words').textContent === whole", arg=TEXT
        )
        assert page.evaluate("document.activeElement.textContent") == "large"
        page.keyboard.press("Enter")
        page.wait_for_selector("#list button:focus")
        assert page.evaluate(focused) == forms[0]
        page.keyboard.press("Enter")
        assert f" {forms[0]} dog" in page.input_value("#text")
        assert page.evaluate("document.activeElement.textContent") == forms[0]


def test_offsets_behind_a_character_of_two_units_are_right(browser: Any, server: Server) -> None:
    text = "😀 She gave a bright answer."
    direct = server.ask({"sentence": marked(text, "bright")}).json()["suggestions"]
    with opened(browser, server) as page:
        write(page, text)
        page.click(".word:text-is('bright')")
        forms = choices(page)
        assert forms == [one["form"] for one in direct]
        page.click("#list button >> nth=0")
        assert page.input_value("#text") == direct[0]["sentence"]


def test_another_part_of_speech_and_words_without_substitutes(browser: Any, server: Server) -> None:
    with opened(browser, server) as page:
        write(page)
        page.click(".word:text-is('ran')")
        first = choices(page)
        assert page.input_value("#pos") == "v"
        page.select_option("#pos", "n")
        page.wait_for_selector("#about:has-text('noun')")
        direct = server.ask({"sentence": "A large dog *ran* home.", "pos": "n"}).json()
        assert page.locator("#list .form").all_inner_texts() == [
            one["form"] for one in direct["suggestions"]
        ]
        assert first != page.locator("#list .form").all_inner_texts()
        page.click("#close")
        page.click(".word:text-is('and')")
        page.wait_for_selector("#about:has-text('no other word is known')")
        assert page.locator("#list button").count() == 0


def test_words_that_belong_together_are_replaced_together(browser: Any, server: Server) -> None:
    text = "She gave up early. He left."
    direct = server.ask({"sentence": "She *gave up* early."}).json()["suggestions"]
    with opened(browser, server) as page:
        write(page, text)
        page.click(".word:text-is('gave')")
        choices(page)
        page.click("#more:text-is('Together with “up”')")
        page.wait_for_selector("#about:has-text('“give up”')")
        assert page.inner_text("#choices-title") == "Instead of “gave up”"
        assert choices(page) == [one["form"] for one in direct]
        page.click("#list button >> nth=0")
        assert page.input_value("#text") == f"{direct[0]['sentence']} He left."
        assert "“gave up” is now" in page.inner_text("#status")
        # Not beyond the sentence.
        page.click(".word:text-is('early')")
        choices(page)
        assert not page.is_visible("#more")


def test_words_with_good_substitutes_are_marked_beforehand(browser: Any, server: Server) -> None:
    paragraphs = ["😀 Ann gave up early. It was strong.", "Of and the. A *large* dog ran home."]
    text = "\n".join(paragraphs)
    good = []
    for paragraph in paragraphs:
        answer = requests.post(
            f"{server.url}text", json={"text": paragraph, "n": 1}, timeout=PATIENCE
        ).json()
        for word in answer["words"]:
            if word["suggestions"] and not word["unsure"]:
                good += word["word"].split()
    assert {"gave", "up", "large"} <= set(good)
    assert not {"Ann", "Of", "and"} & set(good)
    with opened(browser, server) as page:
        assert not page.is_visible("#good")
        write(page, text)
        page.wait_for_function(
            "many => document.querySelectorAll('.word.good').length === many", arg=len(good)
        )
        assert page.locator(".word.good").all_inner_texts() == good
        assert page.is_visible("#good")
        # What is known is not asked again.
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.post_data))
        write(page, f"{text} Now he is old.")
        page.wait_for_selector(".word.good:text-is('old')")
        assert [json.loads(one)["text"] for one in asked] == [f"{paragraphs[1]} Now he is old."]


def test_markup_in_the_text_stays_text(browser: Any, server: Server) -> None:
    text = "<img src=x onerror=alert(1)> a <b>large</b> dog &amp; \u202ecat"
    with opened(browser, server) as page:
        write(page, text)
        page.click(".word:text-is('large')")
        choices(page)
        page.hover("#list button >> nth=0")
        assert page.locator("#words img, #words b, #list img").count() == 0


def test_a_server_that_has_gone_is_said(browser: Any, server: Server) -> None:
    context = browser.new_context(viewport=DESKTOP)
    page = context.new_page()
    page.goto(server.url)
    write(page)
    context.set_offline(True)
    page.click(".word:text-is('large')")
    page.wait_for_selector("#failed:text('does not answer')")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.textContent") == "large"
    context.close()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everyone_can_use_it(
    browser: Any,
    server: Server,
    photograph: Callable[..., None],
    viewport: dict[str, int],
    scheme: str,
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="NOT TESTED: no axe")
    width = viewport["width"]
    with opened(browser, server, viewport=viewport, scheme=scheme) as page:

        def look(name: str) -> None:
            photograph(page, f"serve-{width}-{scheme}-{name}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            found = axe.Axe().run(page)
            assert found.violations_count == 0, found.generate_report()

        look("empty")
        page.click("#example")
        look("text")
        page.click(".word:text-is('bright')")
        choices(page)
        page.locator("#list button").nth(1).focus()
        look("choices")
        word, dialog = page.locator("mark").bounding_box(), page.locator("#choices").bounding_box()
        apart = (
            word["y"] + word["height"] <= dialog["y"] or dialog["y"] + dialog["height"] <= word["y"]
        )
        assert apart, "the dialog hides the word"
        page.locator("#list button").nth(1).click()
        look("chosen")


def test_the_example_of_the_documentation_works(browser: Any, server: Server) -> None:
    (code,) = (b.text for b in blocks_of((ROOT / "docs/how-to/serve.md").read_text())
               if b.language == "js")  # fmt: skip
    text = "😀 She gave a bright answer."
    direct = server.ask({"sentence": marked(text, "bright")}).json()["suggestions"]
    with opened(browser, server) as page:
        code = code.replace("http://127.0.0.1:8642/", server.url)
        found = page.evaluate(
            f"async (text) => {{ {code} return substitutes(text, 'bright'); }}", text
        )
    assert found == [one["form"] for one in direct]
