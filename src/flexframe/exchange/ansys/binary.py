"""Binary files of Ansys: records of whole or real numbers, also in its compressed forms, with bounds kept.

A record is its length in words of four bytes, a word of flags, so many words, and one more. The highest byte of
the flags says: 128 whole numbers, 64 single precision (short whole numbers), 32 compressed by zlib, 16 windows of
numbers that are not zero, 8 a mask of up to 32 numbers that are not zero. Pointers count words from the beginning.
"""

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from flexframe.errors import InputError
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray

_WORD = 4
_WHOLE, _SINGLE, _ZLIB, _WINDOWS, _MASK = 128, 64, 32, 16, 8
_FORMS = {(True, True): "<i2", (True, False): "<i4", (False, True): "<f4", (False, False): "<f8"}
_STANDARD = 100  # words of the first record
HEADER = 103  # where the second record begins


@dataclass(frozen=True, eq=False)
class AnsysFile:
    """A binary file that is open."""

    file: OpenFile
    size: int  # bytes

    @classmethod
    def opened(cls, file: OpenFile, kind: int, title: str) -> "AnsysFile":
        """The file, if its first record is one of this kind of file."""
        made = cls(file, file.size)
        first = file.head(8 + _WORD * _STANDARD)
        head = np.frombuffer(first[: len(first) // _WORD * _WORD], dtype="<i4")
        if len(head) < 2 + _STANDARD or head[0] != _STANDARD:
            raise InputError(f"{file.name}: is not a {title} of Ansys; export it again")
        if head[2] != kind:
            raise InputError(f"{file.name}: is a binary file of Ansys of kind {head[2]}, not a {title}")
        return made

    def refuse(self, reason: str) -> NoReturn:
        """Refuse the file."""
        raise InputError(f"{self.file.name}: is damaged or cut off ({reason}); export it again")

    def words(self, pointer: int, count: int) -> bytes:
        """So many words from a pointer on."""
        if pointer < 0 or count < 0 or _WORD * (pointer + count) > self.size:
            self.refuse(f"it has no {count} words from word {pointer} on")
        self.file.stream.seek(_WORD * pointer)
        return self.file.stream.read(_WORD * count)

    def record(self, pointer: int) -> tuple[IntArray | Array, int]:
        """The numbers of a record, and the pointer behind it."""
        length, flags = np.frombuffer(self.words(pointer, 2), dtype="<i4").tolist()
        kind = (flags >> 24) & 0xFF
        data = self.words(pointer + 2, length)
        after = pointer + length + 3
        if kind & _ZLIB:
            self.refuse("it is compressed by zlib, which is not read: write it with /FCOMP,,0")
        form: np.dtype[Any] = np.dtype(_FORMS[bool(kind & _WHOLE), bool(kind & _SINGLE)])
        if kind & _WINDOWS:
            values = self._windows(data, form)
        elif kind & _MASK:
            values = self._masked_values(data, form)
        else:
            values = np.frombuffer(data[: len(data) // form.itemsize * form.itemsize], dtype=form)
        return (values.astype(np.int64) if kind & _WHOLE else values.astype(np.float64)), after

    def integers(self, pointer: int) -> IntArray:
        """A record of whole numbers."""
        values, _ = self.record(pointer)
        if values.dtype != np.int64:
            self.refuse(f"the record at word {pointer} does not hold whole numbers")
        return np.asarray(values, dtype=np.int64)

    def reals(self, pointer: int) -> Array:
        """A record of numbers."""
        values, _ = self.record(pointer)
        if values.dtype != np.float64:
            self.refuse(f"the record at word {pointer} does not hold real numbers")
        return np.asarray(values, dtype=float)

    def _masked_values(self, data: bytes, form: np.dtype) -> "np.ndarray":
        """How many numbers, a mask of those that are not zero, and these."""
        if len(data) < 8:
            self.refuse("a record is too short")
        count, mask = np.frombuffer(data[:8], dtype="<u4").tolist()
        if count > 32:
            self.refuse(f"a mask of 32 stands for {count} numbers")
        places = np.array([k for k in range(count) if mask >> k & 1], dtype=np.int64)
        stored = np.frombuffer(data[8 : 8 + len(places) * form.itemsize], dtype=form)
        if len(stored) < len(places):
            self.refuse("a record is too short")
        values = np.zeros(count, dtype=form)
        values[places] = stored
        return values

    def _windows(self, data: bytes, form: np.dtype) -> "np.ndarray":
        """How many numbers, how many windows; a window is a place and a number, or −place, a length and numbers.

        A negative length stands for one number that is repeated.
        """
        words = np.frombuffer(data, dtype="<i4")
        if len(words) < 2 or not 0 <= words[0] <= 2**31 or words[0] > 1000 * max(len(words), 1000):
            self.refuse("a record is too short")
        count, windows = int(words[0]), int(words[1])
        values, at = np.zeros(count, dtype=form), 2
        step = max(form.itemsize // _WORD, 1)
        for _ in range(windows):
            if at + 1 >= len(words):
                self.refuse("a window goes beyond its record")
            place, at = int(words[at]), at + 1
            length = 1
            if place <= 0:
                length, at = int(words[at]), at + 1
            start, number, stored = abs(place), abs(length), max(length, 1)
            raw = data[_WORD * at : _WORD * at + form.itemsize * stored]
            if start + number > count or len(raw) < form.itemsize * stored:
                self.refuse("a window goes beyond its record")
            values[start : start + number] = np.frombuffer(raw, dtype=form)
            at += step * stored
        return values


def pointer(header: IntArray, low: int, high: int = -1) -> int:
    """A pointer of one word, or of two."""
    first = int(header[low]) & 0xFFFFFFFF if low < len(header) else 0
    return first + ((int(header[high]) << 32) if 0 <= high < len(header) else 0)
