"""The report opened in a real browser: its figures, its item browser, and nothing amiss."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lexsub.boundary.curves import outcome
from lexsub.data.catalogue import load
from lexsub.evaluation.resampling import holm
from lexsub.formats.jsonl import read_rankings
from lexsub.matching.seen import gold_under
from tests import browsers
from tests.browsers import DESKTOP, PHONE
from tests.report.runs import RTL


def opened(browser: Any, path: Path, hash_: str = "", **options: Any) -> Any:
    return browsers.opened(browser, path.resolve().as_uri() + hash_, "file:", "data:", **options)


def texts(page: Any, selector: str) -> list[str]:
    found: list[str] = page.locator(selector).all_inner_texts()
    return [text.strip() for text in found]


def found_items(page: Any) -> int:
    return int(page.locator("#found").inner_text().split()[0])


def hits_at(run: Path, system: str, n: int) -> dict[str, bool]:
    """Whether one of a system's first n candidates is right, by scored item."""
    gold = gold_under(load("tutorial/test", ()).gold)
    rankings = read_rankings(run / "rankings" / f"{system}.jsonl")
    return {
        one.id: bool((outcome(one, gold[one.id], n).right > 0).any())
        for one in rankings
        if one.id in gold and gold[one.id].is_scored
    }


def test_figures_are_those_of_the_run(browser: Any, small_run: Path) -> None:
    scores = json.loads((small_run / "scores.json").read_text())
    with opened(browser, small_run / "report.html") as page:
        for task in ("best", "oot"):
            rows = page.locator(f"#table-{task} + .scroll tr.ours")
            assert rows.count() == 3
            for row, system in zip(rows.all(), scores["systems"], strict=True):
                figures = {one["measure"]: one for one in system["figures"]}
                wanted = [figures[f"{task}-{m}"] for m in ("P", "R", "mode-P", "mode-R")]
                assert texts(row, "th")[0].endswith(system["system"])
                assert texts(row, ".value") == [f"{100 * one['value']:.2f}" for one in wanted]
                assert texts(row, ".interval") == [
                    f"[{100 * one['low']:.1f}, {100 * one['high']:.1f}]" for one in wanted
                ]


def test_filters_find_what_they_say(browser: Any, small_run: Path) -> None:
    items = load("tutorial/test", ()).items
    first, second = hits_at(small_run, "wordnet", 3), hits_at(small_run, "random", 3)
    with opened(browser, small_run / "report.html") as page:
        assert found_items(page) == len(items)
        page.select_option("#f-pos", "v")
        assert found_items(page) == sum(item.pos == "v" for item in items) > 0
        page.wait_for_url("**pos=v*")
        page.click("#f-clear")
        page.fill("#f-t", items[0].lemma)
        assert found_items(page) == sum(item.lemma == items[0].lemma for item in items)
        page.click("#f-clear")
        page.select_option("#f-n", "3")
        page.select_option("#f-hit", "0")
        page.select_option("#f-miss", "1")
        assert found_items(page) == sum(first[i] and not second[i] for i in first)
        page.select_option("#f-hit", "")
        page.select_option("#f-miss", "all")
        assert found_items(page) == sum(not first[i] and not second[i] for i in first)
        page.click("#f-clear")
        page.select_option("#f-n", "3")
        page.check("#f-dis")
        assert found_items(page) == sum(first[i] != second[i] for i in first) > 0
        page.click("#f-clear")
        page.fill("#f-q", "no such word anywhere")
        assert found_items(page) == 0
        assert page.inner_text("#item") == "No item is as the filters ask."
        page.click("#f-clear")
        assert page.inner_text("#item h3").startswith(str(items[0].lexelt))


def test_score_tables_sort_by_system_and_systems_can_be_chosen(
    browser: Any, small_run: Path
) -> None:
    with opened(browser, small_run / "report.html") as page:
        bodies = page.locator("#table-oot + .scroll tbody")
        rows = [body.locator("tr").count() for body in bodies.all()]
        page.click("#table-oot + .scroll th:nth-child(4) button")
        values = [float(body.locator(".value").nth(1).inner_text()) for body in bodies.all()]
        assert values == sorted(values, reverse=True)
        assert sorted(rows) == sorted(body.locator("tr").count() for body in bodies.all())
        page.uncheck("#choose input[value=A]")
        for selector in (".s-A", "svg .s-A", "#item .s-A"):
            assert page.locator(selector).count() > 0
            assert not any(one.is_visible() for one in page.locator(selector).all())
        assert page.locator("#table-oot + .scroll .s-B").is_visible()
        page.check("#choose input[value=A]")
        assert page.locator("#table-oot + .scroll .s-A").is_visible()


def test_what_is_long_for_many_systems_is_folded(browser: Any, large_run: Path) -> None:
    with opened(browser, large_run / "report.html") as page:
        folds = page.locator("#item .rankings > details")
        assert folds.count() == 8
        assert [fold.get_attribute("open") is not None for fold in folds.all()] == (
            [True, True] + 6 * [False]
        )
        # What was unfolded stays so with the next item.
        folds.nth(5).locator("summary").click()
        # The browser tells the page of it a moment later; no person is as quick.
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        page.keyboard.press("j")
        assert page.locator("#item .rankings > details").nth(5).locator("table").is_visible()
        assert not page.locator("#by-target").is_visible()
        # A section that is folded opens for a link to it.
        page.click("summary:has(#agreement)")
        assert not page.locator(".matrix").first.is_visible()
        page.click("nav a[href='#agreement']")
        assert page.locator(".matrix").first.is_visible()
        # The ceiling of the same candidates stands once.
        ceilings = page.locator("#table-oot + .scroll tr.ceiling")
        assert texts(page, "#table-oot + .scroll tr.ceiling th") == ["all systems"]
        assert ceilings.count() == 1
        assert page.evaluate("document.documentElement.scrollHeight") < 13_200
        # Unfolded, nothing is wider than the page.
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        wide = "one => one.scrollWidth > one.clientWidth"
        found = f"[...document.querySelectorAll('.scroll')].filter({wide})"
        assert page.evaluate(f"{found}.map(one => one.ariaLabel)") == []


def test_nothing_leaves_the_printed_page(browser: Any, small_run: Path) -> None:
    with opened(browser, small_run / "report.html") as page:
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 718, "height": 1000})  # A4 less its margins
        assert page.evaluate("document.documentElement.scrollWidth") == 718


def test_an_item_shows_its_rankings(browser: Any, small_run: Path) -> None:
    data = load("tutorial/test", ())
    item = data.items[4]
    gold = data.gold.items[item.id]
    seen = gold_under(data.gold)[item.id]
    rankings = {
        name: next(r for r in read_rankings(small_run / "rankings" / f"{name}.jsonl")
                   if r.id == item.id)
        for name in ("wordnet", "random")
    }  # fmt: skip
    with opened(browser, small_run / "report.html", f"#item={item.id}") as page:
        shown = page.locator("#item")
        assert shown.locator(".sentence").inner_text() == item.text
        assert shown.locator("mark").inner_text() == item.target
        assert texts(shown, ".gold tbody th") == list(gold.weights)
        counts = [int(text) for text in texts(shown, ".gold tbody td:nth-child(2)")]
        assert counts == list(gold.weights.values())
        for place, ranking in enumerate(rankings.values()):
            table = shown.locator(".rankings table").nth(place)
            listed = [text.split("\u00a0")[0] for text in texts(table, "tbody th")]
            assert listed == list(ranking.top(30))
            right = [text.split("\u00a0")[0] for text in texts(table, "tr.right th")]
            weights = outcome(ranking, seen, 30).right
            assert right == [
                e.substitute for e, w in zip(ranking.ranked, weights, strict=False) if w
            ]
            assert texts(table, "tr.boundary")[0] == "best ends: 1 answer"


def test_keys_and_deep_links(browser: Any, small_run: Path) -> None:
    items = load("tutorial/test", ()).items
    with opened(browser, small_run / "report.html", "#pos=n&sort=target") as page:
        assert found_items(page) == sum(item.pos == "n" for item in items)
        page.keyboard.press("x")
        assert found_items(page) == len(items)
        page.locator("#list a").first.click()
        page.wait_for_url(f"**item={items[0].id}*")
        page.keyboard.press("j")
        page.wait_for_url(f"**item={items[1].id}*")
        page.keyboard.press("k")
        page.wait_for_url(f"**item={items[0].id}*")
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "f-q"
        page.keyboard.type("jkx")
        assert page.locator("#f-q").input_value() == "jkx"
    with opened(browser, small_run / "report.html", "#item=none&hit=99&n=x") as page:
        assert "no item none" in page.locator("#found").inner_text()


def test_two_systems_compared(browser: Any, small_run: Path) -> None:
    first, second = hits_at(small_run, "wordnet", 10), hits_at(small_run, "random", 10)
    with opened(browser, small_run / "report.html") as page:
        counts = [int(text) for text in texts(page, "#flips b")]
        pairs = [(first[i], second[i]) for i in first]
        wanted = [(True, False), (False, True), (True, True), (False, False)]
        assert counts == [pairs.count(pair) for pair in wanted]
        radii = page.locator("#scatter [data-cell]").evaluate_all(
            "dots => dots.map(dot => Number(dot.getAttribute('r')))"
        )
        assert len(radii) == 21 * 21
        titles = page.locator("#scatter [data-cell] title").evaluate_all(
            "found => found.map(one => Number(one.textContent.match(/(\\d+) items/)[1]))"
        )
        assert len(titles) == sum(radius > 0 for radius in radii)
        assert sum(titles) == len(first)
        page.locator("#scatter [data-cell]:not([r='0.0'])").first.click()
        assert len(texts(page, "#flip-items li")) == int(
            page.locator("#flip-about").inner_text().split()[0]
        )


def test_holm_corrects_for_what_is_in_view(browser: Any, large_run: Path) -> None:
    rows = """rows => rows.filter(row => !row.hidden).map(
      row => [row.dataset.p, row.cells[8].textContent])"""
    with opened(browser, large_run / "report.html") as page:
        for second in ("1", "5"):
            page.locator("#pair-second").select_option(second)
            shown = page.locator("#tests tbody tr").evaluate_all(rows)
            assert 1 < len(shown) < page.locator("#tests tbody tr").count() / 8
            expected = holm([float(p) for p, _ in shown])
            assert [told for _, told in shown] == [
                "< 0.001" if p < 0.001 else f"{p:.3f}" for p in expected
            ]
            said = f"over the {len(shown)} comparisons in view"
            assert said in page.locator("#tests caption").text_content()
            assert said in page.locator("#tests-about").text_content()


def test_on_a_phone_captions_are_whole_and_tables_show_that_they_scroll(
    browser: Any, large_run: Path
) -> None:
    boxes = """regions => regions.filter(one => one.scrollWidth > one.clientWidth).map(one => {
      one.scrollLeft = one.scrollWidth;
      const caption = one.querySelector("caption:not(.unseen)") ?? one;
      const [inner, outer] = [caption, one].map(node => node.getBoundingClientRect());
      const image = getComputedStyle(one).backgroundImage;
      return [inner.left - outer.left, outer.right - inner.right, image];
    })"""
    with opened(browser, large_run / "report.html", viewport=PHONE) as page:
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        found = page.locator(".scroll").evaluate_all(boxes)
        assert len(found) > 3
        for left, right, image in found:
            assert left >= -1
            assert right >= -1
            assert image.count("linear-gradient") == 4


@pytest.mark.parametrize(
    ("name", "viewport", "scheme"),
    [("desktop", DESKTOP, "light"), ("phone", PHONE, "dark")], ids=["desktop", "phone"],
)  # fmt: skip
def test_everyone_can_read_it(
    browser: Any,
    small_run: Path,
    hostile: tuple[Path, Path],
    photograph: Callable[..., None],
    name: str,
    viewport: dict[str, int],
    scheme: str,
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="NOT TESTED: no axe")
    # Both pages are built alike; the shorter one is looked through sooner.
    run = small_run if name == "desktop" else hostile[0]
    with opened(browser, run / "report.html", viewport=viewport, scheme=scheme) as page:
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        photograph(page, f"report-{name}", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
        found = axe.Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        page.emulate_media(media="print")
        assert page.locator("nav").is_hidden()


def test_hostile_texts_stay_texts(
    browser: Any, hostile: tuple[Path, Path], photograph: Callable[..., None]
) -> None:
    run, data = hostile
    items = load("semeval2007/test", (data,)).items
    with opened(browser, run / "report.html") as page:
        for item in items:
            page.evaluate(f"location.hash = '#item={item.id}'")
            page.wait_for_function(
                f"document.querySelector('#item h3').textContent.includes('item {item.id} ')"
            )
            shown = page.locator("#item .sentence").evaluate("node => node.textContent")
            assert shown == item.text
            photograph(page, f"hostile-{item.id}")
        assert RTL in page.locator("#item .gold").evaluate("node => node.textContent")
        page.fill("#f-q", "<script>")
        assert found_items(page) == len(items) == 4
        assert page.evaluate("window.hacked") is None
        assert page.locator("img, #items script, h1 script, b:text-is('x')").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= DESKTOP["width"]
