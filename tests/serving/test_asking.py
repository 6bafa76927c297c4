"""What programs ask: the answers are the direct ones, errors are one clear line of JSON."""

from __future__ import annotations

import http.client
import json
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
import requests

import lexsub
from lexsub.experiments.serving.app import LARGEST
from lexsub.marked_sentences import LONGEST
from tests.conftest import PATIENCE
from tests.serving.servers import Server

WINE = "The wine was too strong to drink."


def error_of(answer: requests.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/json"
    ((name, text),) = answer.json().items()
    assert name == "error"
    assert "\n" not in text
    assert "Traceback" not in text
    return answer.status_code, text


def test_the_three_ways_to_ask_are_one(server: Server) -> None:
    found = lexsub.open_suggester("suggest")(WINE, span=(17, 23), pos="a", n=5)
    answers = [
        server.ask(question | {"pos": "a", "n": 5}).json()
        for question in (
            {"sentence": "The wine was too *strong* to drink."},
            {"text": WINE, "start": 17, "end": 23},
            {"tokens": WINE.split(), "index": 4},
        )
    ]
    assert answers[0] == answers[1] == answers[2]
    answer = answers[0]
    assert (answer["text"], answer["target"], answer["lexelt"]) == (WINE, "strong", "strong.a")
    assert WINE[answer["start"] : answer["end"]] == "strong"
    assert answer["candidates"] == found.candidates
    told = [
        (one["substitute"], one["form"], one["sentence"], one["score"])
        for one in answer["suggestions"]
    ]
    assert told == [(one.substitute, one.form, one.sentence, one.score) for one in found]
    assert all(
        one["reasons"] and one["origins"] and not one["parts"] for one in answer["suggestions"]
    )


def test_a_whole_text_is_one_question(server: Server) -> None:
    import jsonschema

    text = "He met Ann. 😀 The wine was too strong."
    found = lexsub.open_suggester("suggest").text(text, n=2)
    answer = requests.post(f"{server.url}text", json={"text": text, "n": 2}, timeout=PATIENCE)
    assert answer.json()["words"] == [word.as_json() for word in found.words]
    described = requests.get(f"{server.url}openapi.json", timeout=PATIENCE).json()
    schema = {"$ref": "#/components/schemas/TextAnswer", "components": described["components"]}
    jsonschema.validate(answer.json(), schema, jsonschema.Draft202012Validator)
    for wrong in ({}, {"text": ""}, {"text": "x" * (LONGEST + 1)}, {"text": "a", "start": 0}):
        refused = requests.post(f"{server.url}text", json=wrong, timeout=PATIENCE)
        assert error_of(refused)[0] == 422


def test_scores_are_explained_where_that_is_asked(server: Server) -> None:
    question: dict[str, Any] = {"sentence": "a *bright* boy", "n": 1, "explain": True}
    (one,) = server.ask(question).json()["suggestions"]
    found = lexsub.open_suggester("suggest")("a *bright* boy", n=1, explain=True)
    assert one["parts"] == found.best[0].parts
    assert one["reasons"] == list(found.best[0].reasons)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({}, "found no sentence; expected either sentence"),
        ({"sentence": "no star"}, "no word of 'no star' is marked"),
        ({"sentence": "a *b*", "text": "b", "start": 0, "end": 1}, "expected either"),
        ({"text": "a b", "start": 0}, "found start, text; expected either"),
        ({"text": "a b", "start": 2, "end": 9}, "span (2, 9)"),
        ({"text": "a b", "start": -1, "end": 1}, "start: "),
        ({"text": "a b", "start": "0", "end": 1}, "start: expected a whole number"),
        ({"tokens": ["a"], "index": 1}, "index 1 of 1 tokens"),
        ({"tokens": [], "index": 0}, "index 0 of 0 tokens"),
        ({"tokens": [1], "index": 0}, "tokens[0]: expected text"),
        ({"sentence": "a *b*", "pos": "x"}, "pos: "),
        ({"sentence": "a *b*", "n": 0}, "n: "),
        ({"sentence": "a *b*", "n": 51}, "n: "),
        ({"sentence": "a *b*", "surprise": 1}, "surprise: no such key"),
        ({"sentence": "*" + "b" * LONGEST + "*"}, f"at most {LONGEST}"),
        ([], "expected an object"),
        ("a *b*", "expected an object"),
        (None, "expected an object"),
    ],
)  # fmt: skip
def test_a_question_that_is_none_is_told_why(server: Server, question: Any, said: str) -> None:
    # As text: requests sends no body for None.
    answer = requests.post(
        f"{server.url}suggest", data=json.dumps(question), timeout=PATIENCE,
        headers={"Content-Type": "application/json; charset=utf-8"},
    )  # fmt: skip
    status, text = error_of(answer)
    assert status == 422
    assert said in text


@pytest.mark.parametrize(
    "body", [b"", b"{", b'{"sentence": "\\ud800 *b*"}', b"\xff", b"[" * 5000, b'{"n": nan}']
)
def test_what_is_no_json_is_told_so(server: Server, body: bytes) -> None:
    answer = requests.post(
        f"{server.url}suggest", body, headers={"Content-Type": "application/json"}, timeout=PATIENCE
    )
    assert error_of(answer)[0] == 400


def test_other_refusals(server: Server) -> None:
    url = f"{server.url}suggest"
    assert error_of(requests.post(url, "{}", timeout=PATIENCE))[0] == 415
    assert error_of(requests.get(url, timeout=PATIENCE))[0] == 405
    assert error_of(requests.get(f"{server.url}nothing", timeout=PATIENCE))[0] == 404
    assert error_of(server.ask({"sentence": "*b*" + " " * LARGEST}))[0] == 413
    # The same without saying beforehand how long it will be.
    pieces = (b" " * 1000 for _ in range(LARGEST // 1000 + 1))
    answer = requests.post(
        url, pieces, headers={"Content-Type": "application/json"}, timeout=PATIENCE
    )
    assert error_of(answer)[0] == 413


def test_other_sites_may_not_ask(server: Server) -> None:
    question = {"sentence": "a *bright* boy"}
    own = server.url.rstrip("/")
    assert server.ask(question, Origin=own).status_code == 200
    assert server.ask(question, Host=f"localhost:{server.port}").status_code == 200
    assert server.ask(question, Host=f"[::1]:{server.port}").status_code == 200
    for headers in (
        {"Host": f"evil.example:{server.port}"},
        {"Host": "127.0.0.1.evil.example"},
        {"Host": "[::1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": own.replace(str(server.port), "1")},
        {"Origin": "http://["},
    ):
        status, _ = error_of(server.ask(question, **headers))
        assert status == 403, headers
    answer = requests.options(
        f"{server.url}suggest", headers={"Origin": "http://evil.example"}, timeout=PATIENCE
    )
    assert "access-control-allow-origin" not in answer.headers


def test_every_response_has_the_policy(server: Server) -> None:
    for path in ("", "page.js", "page.css", "icon.svg", "health", "openapi.json", "nothing"):
        answer = requests.get(f"{server.url}{path}", timeout=PATIENCE)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "set-cookie" not in answer.headers


def test_the_description_is_valid_and_true(server: Server) -> None:
    import jsonschema

    validator = pytest.importorskip("openapi_spec_validator")
    described = requests.get(f"{server.url}openapi.json", timeout=PATIENCE).json()
    assert described["openapi"].startswith("3.1")
    validator.validate(described)

    def check(name: str, value: Any) -> None:
        schema = {"$ref": f"#/components/schemas/{name}", "components": described["components"]}
        jsonschema.validate(value, schema, jsonschema.Draft202012Validator)

    operation = described["paths"]["/suggest"]["post"]
    content = operation["requestBody"]["content"]["application/json"]
    for example in content["examples"].values():
        check("Question", example["value"])
        answer = server.ask(example["value"])
        assert answer.status_code == 200
        check("Answer", answer.json())
    with pytest.raises(jsonschema.ValidationError):
        check("Question", {"text": "no span"})
    check("Health", requests.get(f"{server.url}health", timeout=PATIENCE).json())
    check("Problem", server.ask({}).json())


def test_nothing_is_lost_or_crossed(server: Server) -> None:
    """Eight clients at once: everybody gets the answer to the own question."""
    suggester = lexsub.open_suggester("suggest")
    words = ("large", "strong", "bright", "early", "dark", "long")
    questions = [f"Number {number} was a *{words[number % 6]}* one." for number in range(240)]
    expected = [suggester(question, n=3) for question in questions]

    def client(mine: list[int]) -> list[tuple[int, Any]]:
        with requests.Session() as session:
            return [
                (number, session.post(f"{server.url}suggest", timeout=PATIENCE,
                                      json={"sentence": questions[number], "n": 3}).json())
                for number in mine
            ]  # fmt: skip

    with ThreadPoolExecutor(8) as clients:
        found = [one for mine in clients.map(client, [list(range(k, 240, 8)) for k in range(8)])
                 for one in mine]  # fmt: skip
    assert sorted(number for number, _ in found) == list(range(240))
    for number, answer in found:
        wanted = expected[number]
        assert answer["text"] == wanted.text
        assert [one["sentence"] for one in answer["suggestions"]] == [o.sentence for o in wanted]


def test_who_hangs_up_or_sends_rubbish_disturbs_nobody(server: Server) -> None:
    for sent in (
        b"POST /suggest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 100\r\n\r\n{",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000,
        b"POST /suggest HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
    ):
        # It may be refused while it is being sent.
        with socket.create_connection(("127.0.0.1", server.port)) as line, suppress(OSError):
            line.sendall(sent)
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    line.request("GET", "/health")
    assert json.loads(line.getresponse().read())["status"] == "ok"
    line.close()
