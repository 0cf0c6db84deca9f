# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""What all parts of the package share: errors, and translation between C and Python by the types of the C interface.

Translation goes by reflection: a field of a struct is set and read by its C type, an enumerator is the lower-case end of its name.
A field or function that is added to the headers needs no line here.
"""

from __future__ import annotations

import os
import threading
from types import SimpleNamespace
from typing import Any

import numpy as np

from ._cairn import ffi, lib


class CairnError(Exception):
    """A call was refused; the text is the library's sentence, and nothing has changed."""


class BadInput(CairnError, ValueError):
    """An argument, a file or a scene is wrong."""


class NoMemory(CairnError, MemoryError):
    """The system gave no memory."""


class NoFile(CairnError, OSError):
    """A file cannot be opened, read or written."""


class NotSupported(CairnError, NotImplementedError):
    """This build or this method cannot do what was asked."""


class Fault(CairnError, RuntimeError):
    """A fault of ours."""


class Interrupted(CairnError, RuntimeError):
    """Canceled before it was done."""


class Busy(CairnError, RuntimeError):
    """From a hook of a world that is in the middle of a call."""


_ERRORS = {
    lib.CAIRN_BAD_INPUT: BadInput, lib.CAIRN_NO_MEMORY: NoMemory, lib.CAIRN_NO_FILE: NoFile,
    lib.CAIRN_NOT_SUPPORTED: NotSupported, lib.CAIRN_FAULT: Fault, lib.CAIRN_INTERRUPTED: Interrupted,
    lib.CAIRN_BUSY: Busy,
}


def text_of(pointer) -> str:
    """A C string, "" for NULL."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


def call(function, *arguments):
    """Calls a function that ends with an error, and raises what it says."""
    error = ffi.new("cairn_error*")
    check(function(*arguments, error), error)


def check(status: int, error=None) -> None:
    """Raises the exception of a status that is not CAIRN_OK."""
    if status != lib.CAIRN_OK:
        sentence = text_of(error.text) if error is not None else "the call was refused"
        raise _ERRORS.get(status, CairnError)(sentence)


def on_main_thread() -> bool:
    """Whether signals come to this thread."""
    return threading.current_thread() is threading.main_thread()


def path_of(path) -> bytes:
    """A path as C takes it."""
    return os.fsencode(os.fspath(path))


# ---------------------------------------------------------------- enumerators

_ENUMS: dict = {}


def _words(ctype) -> dict:
    """The words of an enumeration: its enumerators without their common beginning, in small letters."""
    if ctype.cname not in _ENUMS:
        names = list(ctype.elements.values())
        common = os.path.commonprefix([n for n in names if not n.endswith("_COUNT")]) if len(names) > 1 else names[0]
        cut = common.rfind("_") + 1
        _ENUMS[ctype.cname] = {value: name[cut:].lower() for value, name in ctype.elements.items()}
    return _ENUMS[ctype.cname]


def word_of(ctype, value: int) -> str:
    return _words(ctype).get(value, str(value))


def value_of(ctype, word) -> int:
    if isinstance(word, int):
        return word
    for value, name in _words(ctype).items():
        if name == word:
            return value
    raise BadInput("'%s' is not one of %s" % (word, ", ".join(_words(ctype).values())))


# ---------------------------------------------------------------- values

def vec3(v) -> Any:
    """A vector from three numbers."""
    x, y, z = (float(c) for c in v)
    return ffi.new("cairn_vec3*", (x, y, z))[0]


def transform(position=(0.0, 0.0, 0.0), quaternion=(1.0, 0.0, 0.0, 0.0)) -> Any:
    """A pose from a position and a quaternion w, x, y, z."""
    return ffi.new("cairn_transform*", (tuple(map(float, position)), tuple(map(float, quaternion))))[0]


def _pose(value) -> Any:
    """A pose from (position, quaternion), or from 7 numbers."""
    flat = np.concatenate([np.ravel(part) for part in value]) if len(value) == 2 else np.ravel(value)
    if flat.size != 7:
        raise BadInput("a pose has %d numbers, expected a position and a quaternion" % flat.size)
    return transform(flat[:3], flat[3:])


def _name(ctype) -> str:
    """The name of a type, without `struct`."""
    return ctype.cname[7:] if ctype.cname.startswith("struct ") else ctype.cname


def to_c(ctype, value):
    """A Python value as a field of this C type takes it."""
    name = _name(ctype)
    if ctype.kind == "enum":
        return value_of(ctype, value)
    if name == "cairn_vec3":
        return vec3(value)
    if name == "cairn_transform":
        return _pose(value)
    if name == "cairn_mat3":
        m = np.asarray(value, dtype=float)
        m = np.diag(m) if m.shape == (3,) else m
        if m.shape != (3, 3):
            raise BadInput("a matrix has the shape %s, expected 3 x 3 or 3 moments" % (m.shape,))
        return ffi.new("cairn_mat3*", tuple(tuple(float(x) for x in m[:, k]) for k in range(3)))[0]
    if ctype.kind == "struct" and isinstance(value, dict):
        return fill(ffi.new(ffi.getctype(ctype, "*")), value)[0]
    if ctype.kind == "primitive" and name != "_Bool":
        return value if isinstance(value, int) else float(value)
    return value


def fill(struct, values: dict):
    """Sets fields of a struct by their names."""
    fields = dict(ffi.typeof(struct).item.fields)
    for name, value in values.items():
        if name not in fields or name in ("cookie", "reserved"):
            known = ", ".join(sorted(f for f in fields if f not in ("cookie", "reserved")))
            raise TypeError("'%s' is not an option; expected one of: %s" % (name, known))
        ctype = fields[name].type
        if ctype.kind == "struct" and isinstance(value, dict):
            inner = getattr(struct, name)
            copy = ffi.new(ffi.getctype(ctype, "*"), inner)
            setattr(struct, name, fill(copy, value)[0])
        else:
            setattr(struct, name, to_c(ctype, value))
    return struct


def of_c(ctype, value):
    """A C value as Python has it: arrays, words, namespaces."""
    if ctype.kind == "enum":
        return word_of(ctype, int(value))
    if ctype.kind == "primitive":
        return value
    if ctype.kind == "pointer":
        return text_of(value) if ctype.item.kind == "primitive" and ctype.item.cname == "char" else None
    if ctype.kind == "array":
        if ctype.item.cname == "char":
            return text_of(value)
        return np.array([of_c(ctype.item, x) for x in value])
    if _name(ctype) == "cairn_vec3":
        return np.array((value.x, value.y, value.z))
    if _name(ctype) == "cairn_quat":
        return np.array((value.w, value.x, value.y, value.z))
    if _name(ctype) == "cairn_mat3":
        return np.stack([of_c(ffi.typeof("cairn_vec3"), c) for c in (value.cx, value.cy, value.cz)], axis=1)
    if ctype.kind == "struct":
        return namespace(value)
    return None


class Record(SimpleNamespace):
    """What a C struct says, as attributes."""

    def __repr__(self) -> str:
        shown = ", ".join("%s=%s" % (k, _short(v)) for k, v in self.__dict__.items() if v is not None)
        return "%s(%s)" % (type(self).__name__, shown)


def _short(value) -> str:
    if isinstance(value, np.ndarray):
        return np.array2string(value, precision=4, separator=", ", threshold=12)
    if isinstance(value, float):
        return "%.6g" % value
    return repr(value)


def namespace(struct, kind=Record):
    """A struct as a namespace; pointers other than strings are left out."""
    ctype = ffi.typeof(struct)
    ctype = ctype.item if ctype.kind == "pointer" else ctype
    out = kind()
    for name, field in ctype.fields:
        if name in ("cookie", "reserved", "user"):
            continue
        value = of_c(field.type, getattr(struct, name))
        if value is not None:
            setattr(out, name, value)
    return out


def doubles(array: np.ndarray):
    """The numbers of an array that is contiguous; the array must outlive the pointer."""
    return ffi.cast("double*", array.ctypes.data)


def vector(values, size: int | None = None, name: str = "the array") -> np.ndarray:
    """An array of doubles that C can read, of a size that is checked."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if size is not None and array.size != size:
        raise BadInput("%s has %d numbers, expected %d" % (name, array.size, size))
    return array
