"""What numpy raises where an archive of arrays is damaged: its headers are read as Python, its members by zlib."""

import zlib
from tokenize import TokenError
from zipfile import BadZipFile

DAMAGED = (
    BadZipFile,
    EOFError,
    KeyError,
    MemoryError,
    NotImplementedError,
    OSError,
    OverflowError,
    SyntaxError,
    TokenError,
    TypeError,
    ValueError,
    zlib.error,
)
