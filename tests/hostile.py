"""Hostile files: bytes that no reader may swallow, choke on or blow up from."""

from __future__ import annotations

import bz2
import gzip

XML_HEAD = '<?xml version="1.0" ?>\n'
GOOD_INSTANCE = '<instance id="1"><context>A <head>bright</head> day .</context></instance>'


def xml(body: str, lexelt: str = "bright.a") -> bytes:
    """A sentence file with one lexelt."""
    return (
        f'{XML_HEAD}<corpus lang="english">\n<lexelt item="{lexelt}">\n{body}\n'
        "</lexelt>\n</corpus>\n"
    ).encode()


def instance(context: str, attributes: str = 'id="1"') -> str:
    return f"<instance {attributes}>\n<context>{context}</context>\n</instance>"


LAUGHS = (
    XML_HEAD
    + "<!DOCTYPE corpus [\n"
    + '<!ENTITY l0 "ha">\n'
    + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">\n' for n in range(1, 10))
    + "]>\n<corpus><lexelt item='a.n'><instance id='1'><context>&l9; <head>a</head></context>"
    + "</instance></lexelt></corpus>"
).encode()
OUTSIDE = (
    XML_HEAD + '<!DOCTYPE corpus [<!ENTITY x SYSTEM "file:///etc/hostname">]>\n<corpus>'
    "<lexelt item='a.n'><instance id='1'><context>&x; <head>a</head></context></instance>"
    "</lexelt></corpus>"
).encode()
PARAMETER = (
    XML_HEAD + '<!DOCTYPE corpus [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;]>\n'
    "<corpus></corpus>"
).encode()

LONG = 100_000_000
LONG_LINE = b"x" * LONG
GZIP_GARBAGE = b"\x1f\x8b\x08\x00" + b"garbage " * 99
GZIP_CUT = gzip.compress(b"bright.a 1 :: clever 3;\n" * 500)[:-12]

# Bytes that are never what any of the readers wants.
EVERYWHERE: dict[str, bytes] = {
    "empty": b"",
    "blank lines": b"\n \n\t\n",
    "byte order mark only": b"\xef\xbb\xbf",
    "UTF-16": "bright.a 1 :: clever 3;\n".encode("utf-16"),
    "UTF-16 without mark": "bright.a 1 :: clever 3;\n".encode("utf-16-le"),
    "Latin-1": "café.n 1 :: été 3;\n".encode("latin-1"),
    "NUL bytes": b"bright.a 1 :: cle\0ver 3;\n",
    "all NUL": b"\0" * 1000,
    "gzip garbage": GZIP_GARBAGE,
    "gzip cut short": GZIP_CUT,
    "bzip2 garbage": b"BZh9" + b"garbage" * 99,
    "xz garbage": b"\xfd7zXZ\x00" + b"garbage" * 99,
    "program": b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 4,
    "web page": b"<!DOCTYPE html>\n<html><head><title>404</title></head><body>No</body></html>\n",
    "deep JSON": b"[" * 100_000,
    "deep XML": b"<corpus>" * 50_000,
    "truncated JSON": b'{"contexts": {"a": {"con',
    "billion laughs": LAUGHS,
    "external entity": OUTSIDE,
    "semicolons": b";" * 10_000,
    "colons": b":" * 10_000,
    "one long word": b"x" * 2_000_000,
    "long run of dots": b"a." * 1_000_000,
    "long run of blanks": b"a" + b" " * 2_000_000 + b"b",
    "spaced letters": b"a " * 1_000_000,
    "bzip2 of nothing": bz2.compress(b""),
}
