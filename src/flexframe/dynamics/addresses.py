"""Named tuples of arrays by their address, so that compiled functions hand on one pointer instead of all arrays.

A compiled function that took such a tuple by value would have a thousand arguments: a minute to compile, and
kilobytes to copy at each call. Here the arrays of a tuple, and of the tuples in it, are listed in memory: an array
as its address and its shape, a whole number as itself. In compiled functions attributes are read from that list,
which never changes, so that they may be read once and kept.
"""

# mypy: allow-untyped-calls, allow-untyped-decorators

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numba import from_dtype
from numba.core.types import Array as ArrayType
from numba.core.types import Type, intp
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    unbox,
)
from numba.np.arrayobj import make_array, populate_array

from flexframe.maths.arrays import IntArray

# Compiled functions are kept by the types of their arguments. With the text of all functions in the name of the
# type, none is used that was made of another text; numba looks at the file of the outermost function only.
_SOURCES = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*_kernels.py")))


class AddressedType(Type):
    """What the compiler knows of a tuple by its address: its fields, and where each begins in the list."""

    def __init__(self, name: str, fields: tuple[tuple[str, Any], ...]) -> None:
        self.fields = dict(fields)
        self.places: dict[str, int] = {}
        self.words = 0
        for field, kind in fields:
            self.places[field] = self.words
            self.words += kind.words if isinstance(kind, AddressedType) else _array_words(kind)
        digest = sha256(_SOURCES + repr(fields).encode()).hexdigest()[:12]
        super().__init__(name=f"{name}_{digest}")


def _array_words(kind: Any) -> int:
    return 1 + (kind.ndim if isinstance(kind, ArrayType) else 0)


class Addressed:
    """A named tuple with the list of its addresses; it keeps the arrays alive."""

    __slots__ = ("_numba_type_", "address", "tables", "words")

    def __init__(self, tables: Any) -> None:
        self.tables = tables
        self._numba_type_ = _type_of(tables)
        self.words: IntArray = np.fromiter(_words(tables), np.int64, self._numba_type_.words)
        self.address = self.words.ctypes.data


def addressed(tables: Any) -> Addressed:
    """A tuple by its address, as it is where it came so."""
    return tables if isinstance(tables, Addressed) else Addressed(tables)


def _type_of(tables: Any) -> AddressedType:
    return _made_type(type(tables).__name__, tables._fields, tuple(_kind(value) for value in tables))


def _kind(value: Any) -> Any:
    """What identifies the type of a field."""
    if isinstance(value, np.ndarray):
        return _array_type(value.dtype, value.ndim)
    return _type_of(value) if isinstance(value, tuple) else intp


@cache
def _array_type(dtype: Any, dimensions: int) -> Any:
    return ArrayType(from_dtype(dtype), dimensions, "C")


@cache
def _made_type(name: str, fields: tuple[str, ...], kinds: tuple[Any, ...]) -> AddressedType:
    return AddressedType(name, tuple(zip(fields, kinds, strict=True)))


def _words(tables: Any) -> Iterator[int]:
    for name, value in zip(tables._fields, tables, strict=True):
        if isinstance(value, np.ndarray):
            assert value.flags.c_contiguous, f"{type(tables).__name__}.{name} has gaps in memory"
            yield value.ctypes.data
            yield from value.shape
        elif isinstance(value, tuple):
            yield from _words(value)
        else:
            yield value


@infer_getattr
class _Attributes(AttributeTemplate):
    """Types of attributes."""

    key = AddressedType

    def generic_resolve(self, typ: AddressedType, name: str) -> Any:  # type: ignore[override] # None in the base
        """The type of a field, None where there is none of that name."""
        return typ.fields.get(name)


@register_model(AddressedType)
class _Model(models.OpaqueModel):
    """One pointer."""


@unbox(AddressedType)
def _unbox(_type: AddressedType, value: Any, c: Any) -> Any:
    """The pointer from the address that the Python object holds."""
    number = c.pyapi.object_getattr_string(value, "address")
    address = c.pyapi.long_as_voidptr(number)
    c.pyapi.decref(number)
    return NativeValue(address, is_error=c.pyapi.c_api_error())


@lower_getattr_generic(AddressedType)
def _read(context: Any, builder: Any, typ: AddressedType, pointer: Any, name: str) -> Any:
    """A field: an array made of its address and its shape, a number, or the address of a tuple within."""
    kind, first = typ.fields[name], typ.places[name]
    integer = context.get_value_type(intp)
    words = builder.bitcast(pointer, integer.as_pointer())

    def place(number: int) -> Any:
        return builder.gep(words, [context.get_constant(intp, first + number)], inbounds=True)

    def word(number: int) -> Any:
        value = builder.load(place(number))
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
        return value

    if isinstance(kind, AddressedType):
        return builder.bitcast(place(0), pointer.type)
    if not isinstance(kind, ArrayType):
        return word(0)
    shape = [word(1 + axis) for axis in range(kind.ndim)]
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides = [context.get_constant(intp, size)]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length, flags=["nsw"]))
    array = make_array(kind)(context, builder)
    data = builder.inttoptr(word(0), context.get_data_type(kind.dtype).as_pointer())
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return array._getvalue()
