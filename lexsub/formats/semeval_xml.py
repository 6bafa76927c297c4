"""The sentences of SemEval-2007 Task 10 (and of every data set in its XML format).

XML is read as a stream of events by a hardened parser, every fault with its line.  The official
files are not well-formed: some character references have a blank before the semicolon
(``&#8221 ;``).  That one fault is mended on reading, everything else is an error with its line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from lexsub.datasets import Item, Lexelt
from lexsub.errors import FormatError
from lexsub.storage.files import decode


class Events:
    """Receives a parser's events and checks that each element stands where it may.

    Subclasses collect what they want in ``opened``, ``data`` and ``closed``.  Reading events
    gives line numbers, which a finished tree no longer has.

    Attributes:
        path: the file, for messages.
        open: names of the elements that are open, outermost first.
    """

    parents: ClassVar[Mapping[str, str | None]]
    """Element to the one it must stand in (None: at the top)."""

    outline: ClassVar[str]
    """The format in a few words, for messages."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.open: list[str] = []
        self._parser = DefusedXMLParser(target=self)

    def read(self, document: str | bytes) -> None:
        """Read a whole document.

        Raises:
            FormatError: not well-formed, entities or external parts, an element out of
                place, or what the subclass finds.
        """
        try:
            self._parser.feed(document)
            self._parser.close()
        except ParseError as error:
            reason = str(error).split(": line", maxsplit=1)[0]
            line = error.position[0]
            raise FormatError(self.path, line, f"not well-formed XML: {reason}") from error
        except DefusedXmlException as error:
            problem = "declares entities or external parts; expected plain XML"
            raise FormatError(self.path, self.line, problem) from error

    @property
    def line(self) -> int:
        """The line the parser has reached."""
        return int(self._parser.parser.CurrentLineNumber)

    def fail(self, problem: str, line: int = 0) -> FormatError:
        """Return the error for a fault on a line, or on the line reached."""
        return FormatError(self.path, line or self.line, problem)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Take the start of an element."""
        parent = self.open[-1] if self.open else None
        if tag not in self.parents or self.parents[tag] != parent:
            where = f"inside <{parent}>" if parent else "at the top"
            raise self.fail(f"<{tag}> {where}; expected {self.outline}")
        self.open.append(tag)
        self.opened(tag, attributes)

    def end(self, tag: str) -> None:
        """Take the end of an element."""
        self.open.pop()
        self.closed(tag)

    def data(self, text: str) -> None:
        """Take some text."""

    def opened(self, tag: str, attributes: dict[str, str]) -> None:
        """Take an element that stands where it may."""

    def closed(self, tag: str) -> None:
        """Take the end of such an element."""

    def close(self) -> None:
        """Take the end of the document."""


LONGEST_CONTEXT = 1_000_000
"""Characters of one instance; a longer one is no sentence."""

_BROKEN_REFERENCE = re.compile(r"&#(\d+) ;")


def parse_semeval_xml(data: bytes, path: Path) -> tuple[Item, ...]:
    """Read the items of a ``<corpus><lexelt><instance><context>… <head>`` file.

    The context keeps its characters; blanks at its ends are removed and line breaks inside
    it become blanks.

    Raises:
        FormatError: not UTF-8, not XML, entities or external references, an element out of
            place, an instance without exactly one head, a repeated id, or no instance.
    """
    text = _BROKEN_REFERENCE.sub(r"&#\1;", decode(data, path))
    if not text.strip():
        raise FormatError(path, None, "is empty; expected a SemEval lexical substitution XML file")
    # The declaration names no encoding or a wrong one; the bytes are UTF-8 and decoded already.
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text, count=1)
    reader = _XmlReader(path)
    reader.read(text)
    if not reader.items:
        raise FormatError(path, None, "holds no <instance>; expected at least one")
    return tuple(reader.items.values())


class _XmlReader(Events):
    """Collects items."""

    parents: ClassVar[Mapping[str, str | None]] = {
        "corpus": None,
        "lexelt": "corpus",
        "instance": "lexelt",
        "context": "instance",
        "head": "context",
    }
    outline = "corpus > lexelt > instance > context > head"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.items: dict[str, Item] = {}
        self._lexelt: Lexelt | None = None
        self._id = ""
        self._text: list[str] = []
        self._length = 0
        self._heads: list[tuple[int, int]] = []

    def opened(self, tag: str, attributes: dict[str, str]) -> None:
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
        if "context" in self.open:
            self._text.append(re.sub(r"\s", " ", text))
            self._length += len(text)
            if self._length > LONGEST_CONTEXT:
                raise self.fail(
                    f"instance {self._id} has more than {LONGEST_CONTEXT} characters; "
                    "expected a sentence"
                )

    def closed(self, tag: str) -> None:
        if tag == "head":
            self._heads[-1] = (self._heads[-1][0], self._length)
        elif tag == "instance":
            self._finish()

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
