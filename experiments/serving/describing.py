"""The description of the API, as OpenAPI 3.1."""

from __future__ import annotations

from typing import Any

from lexsub import __version__
from lexsub.experiments.serving.messages import schemas

_STATUSES = {
    "400": "not JSON",
    "403": "asked under a foreign name, or by a page of another origin",
    "408": "the question did not arrive in time",
    "413": "far too large",
    "415": "not application/json",
    "422": "JSON, but no question: the line says why",
    "500": "the answer failed",
    "503": "too many questions at once; ask again after Retry-After seconds",
    "504": "no answer in time",
}

_EXAMPLES = {
    "sentence": {"sentence": "The wine was too *strong* to drink."},
    "span": {"text": "The wine was too strong to drink.", "start": 17, "end": 23, "n": 3},
    "tokens": {"tokens": ["He", "ran", "home"], "index": 1, "pos": "v"},
}


def description() -> dict[str, Any]:
    """Return the OpenAPI document."""
    examples = {name: {"value": value} for name, value in _EXAMPLES.items()}
    failures = {status: _response("Problem", text) for status, text in _STATUSES.items()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "lexsub",
            "version": __version__,
            "summary": "Substitutes for a word in a sentence.",
        },
        "servers": [{"url": "/"}],
        "paths": {
            "/suggest": {
                "post": {
                    "operationId": "suggest",
                    "summary": "Substitutes for a word in a sentence, best first.",
                    "requestBody": {
                        "required": True,
                        "content": {
                            "application/json": {"schema": _ref("Question"), "examples": examples}
                        },
                    },
                    "responses": {"200": _response("Answer", "the substitutes"), **failures},
                }
            },
            "/text": {
                "post": {
                    "operationId": "text",
                    "summary": "Substitutes for every word of a text, or why it has none.",
                    "requestBody": {
                        "required": True,
                        "content": {"application/json": {"schema": _ref("TextQuestion")}},
                    },
                    "responses": {"200": _response("TextAnswer", "the words"), **failures},
                }
            },
            "/health": {
                "get": {
                    "operationId": "health",
                    "summary": "Whether the server answers, and with what.",
                    "responses": {"200": _response("Health", "it does")},
                }
            },
        },
        "components": {"schemas": schemas()},
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _response(name: str, text: str) -> dict[str, Any]:
    return {"description": text, "content": {"application/json": {"schema": _ref(name)}}}
