"""XML read as a stream of events by a hardened parser, every fault with its line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from lexsub.errors import FormatError


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
