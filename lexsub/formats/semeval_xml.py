"""The sentences of SemEval-2007 Task 10 (and of every data set in its XML format).

The official files are not well-formed: some character references have a blank before
the semicolon (``&#8221 ;``).  That one fault is mended on reading, everything else is
an error with its line.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from lexsub.errors import FormatError
from lexsub.files import decode, read_bytes
from lexsub.items import Item, Lexelt

LONGEST_CONTEXT = 1_000_000
"""Characters of one instance; a longer one is no sentence."""

_BROKEN_REFERENCE = re.compile(r"&#(\d+) ;")


def read_semeval_xml(path: Path) -> tuple[Item, ...]:
    """Read the items of a ``<corpus><lexelt><instance><context>… <head>`` file.

    The context keeps its characters; blanks at its ends are removed and line breaks inside
    it become blanks.

    Raises:
        FileProblemError: the file cannot be read.
        FormatError: not UTF-8, not XML, entities or external references, an element out of
            place, an instance without exactly one head, a repeated id, or no instance.
    """
    return parse_semeval_xml(read_bytes(path), path)


def parse_semeval_xml(data: bytes, path: Path) -> tuple[Item, ...]:
    """Read the items from a file's bytes; see :func:`read_semeval_xml`."""
    text = _BROKEN_REFERENCE.sub(r"&#\1;", decode(data, path))
    if not text.strip():
        raise FormatError(path, None, "is empty; expected a SemEval lexical substitution XML file")
    # The declaration names no encoding or a wrong one; the bytes are UTF-8 and decoded already.
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text, count=1)
    reader = _Reader(path)
    # Feeding from a target gives line numbers, which a finished tree no longer has.
    parser = DefusedXMLParser(target=reader)
    reader.parser = parser.parser
    try:
        parser.feed(text)
        parser.close()
    except ParseError as error:
        reason = str(error).split(": line", maxsplit=1)[0]
        raise FormatError(path, error.position[0], f"not well-formed XML: {reason}") from error
    except DefusedXmlException as error:
        raise FormatError(
            path, reader.line, "declares entities or external parts; expected plain XML"
        ) from error
    if not reader.items:
        raise FormatError(path, None, "holds no <instance>; expected at least one")
    return tuple(reader.items.values())


_PARENT = {"corpus": None, "lexelt": "corpus", "instance": "lexelt", "context": "instance",
           "head": "context"}  # fmt: skip


class _Reader:
    """Receives the parser's events and collects items."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.parser: object = None
        self.items: dict[str, Item] = {}
        self._open: list[str] = []
        self._lexelt: Lexelt | None = None
        self._id = ""
        self._text: list[str] = []
        self._length = 0
        self._heads: list[tuple[int, int]] = []

    @property
    def line(self) -> int:
        return int(getattr(self.parser, "CurrentLineNumber", 0))

    def fail(self, problem: str) -> FormatError:
        return FormatError(self.path, self.line, problem)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        parent = self._open[-1] if self._open else None
        if tag not in _PARENT or _PARENT[tag] != parent:
            where = f"inside <{parent}>" if parent else "at the top"
            raise self.fail(
                f"<{tag}> {where}; expected corpus > lexelt > instance > context > head"
            )
        self._open.append(tag)
        if tag == "lexelt":
            try:
                self._lexelt = Lexelt.parse(attributes.get("item", ""))
            except ValueError as error:
                raise self.fail(f"<lexelt item>: {error}") from error
        elif tag == "instance":
            self._id = attributes.get("id", "")
            if not self._id or self._id.split() != [self._id]:
                raise self.fail(f"<instance id={self._id!r}>; expected an id without blanks")
            if self._id in self.items:
                raise self.fail(f"instance id {self._id} stands twice; expected unique ids")
            self._text, self._length, self._heads = [], 0, []
        elif tag == "head":
            self._heads.append((self._length, self._length))

    def data(self, text: str) -> None:
        if "context" in self._open:
            self._text.append(re.sub(r"\s", " ", text))
            self._length += len(text)
            if self._length > LONGEST_CONTEXT:
                raise self.fail(
                    f"instance {self._id} has more than {LONGEST_CONTEXT} characters; "
                    "expected a sentence"
                )

    def end(self, tag: str) -> None:
        self._open.pop()
        if tag == "head":
            self._heads[-1] = (self._heads[-1][0], self._length)
        elif tag == "instance":
            self._finish()

    def close(self) -> None:
        pass

    def _finish(self) -> None:
        if len(self._heads) != 1:
            raise self.fail(
                f"instance {self._id} has {len(self._heads)} <head> tags; expected exactly one"
            )
        text = "".join(self._text)
        start, end = self._heads[0]
        head = text[start:end]
        if not head.strip():
            raise self.fail(f"instance {self._id} has an empty <head>; expected the target word")
        # The head's own blanks belong to the sentence, not to the target.
        start += len(head) - len(head.lstrip())
        end -= len(head) - len(head.rstrip())
        cut = len(text) - len(text.lstrip())
        assert self._lexelt is not None  # the parent check makes a lexelt come first
        self.items[self._id] = Item(self._id, self._lexelt, text.strip(), start - cut, end - cut)
