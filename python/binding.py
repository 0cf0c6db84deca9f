# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""The binding is made from the public headers themselves: what they declare with CAIRN_API is there.

The headers named in headers.txt go through the preprocessor without those of the C library; inline functions and attributes are
dropped, and what remains is what cffi is told. A function added to a header needs nothing here.
"""

import os
import re
import subprocess
import tempfile

import cffi

HERE = os.path.dirname(os.path.abspath(__file__))


def pkg_config(*arguments):
    """What pkg-config says of the installed library."""
    return subprocess.run(["pkg-config", *arguments], check=True, capture_output=True, text=True).stdout.split()


def places():
    """Folders of headers, static libraries, and libraries that these need."""
    build = os.environ.get("CAIRN_BUILD")
    if build:
        root = os.environ.get("CAIRN_SOURCE", os.path.join(HERE, ".."))
        archives = [os.path.join(build, "libcairn-io.a"), os.path.join(build, "libcairn.a")]
        needs = pkg_config("--libs", "hdf5", "fclib", "jansson", "zlib", "expat")
        flags = pkg_config("--cflags", "hdf5", "fclib")
        return [os.path.join(root, "include")], archives, needs, flags
    folder = pkg_config("--variable=libdir", "cairn")[0]
    archives = [os.path.join(folder, "libcairn-io.a"), os.path.join(folder, "libcairn.a")]
    needs = pkg_config("--libs", "hdf5", "fclib", "jansson", "zlib", "expat")
    return [pkg_config("--variable=includedir", "cairn")[0]], archives, needs, []


def version():
    """The version of the library, as its headers have it."""
    with open(os.path.join(places()[0][0], "cairn", "base.h"), encoding="utf-8") as header:
        numbers = re.findall(r"#define CAIRN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header.read())
    return ".".join(numbers)


def without_inlines(text):
    """Drops `static inline` functions with their bodies."""
    out, at = [], 0
    for match in re.finditer(r"static inline\b", text):
        if match.start() < at:
            continue
        out.append(text[at:match.start()])
        at = text.index("{", match.start()) + 1
        depth = 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
    return "".join(out) + text[at:]


def without_attributes(text):
    """Drops __attribute__((...)), parentheses balanced."""
    out, at = [], 0
    for match in re.finditer(r"__attribute__\s*\(", text):
        out.append(text[at:match.start()])
        at = match.end()
        depth = 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
    return "".join(out) + text[at:]


def headers():
    """The names of the public headers."""
    with open(os.path.join(HERE, "headers.txt"), encoding="utf-8") as names:
        return names.read().split()


def declarations(include):
    """What the public headers declare, as cffi reads it."""
    with tempfile.TemporaryDirectory() as stubs:
        for name in ("stdbool.h", "stddef.h", "stdint.h", "math.h"):
            open(os.path.join(stubs, name), "w").close()
        source = "".join("#include <%s>\n" % name for name in headers())
        text = subprocess.run(
            [os.environ.get("CC", "cc").split()[-1], "-E", "-P", "-nostdinc", "-I", stubs, "-I", include, "-x", "c", "-"],
            input=source, check=True, capture_output=True, text=True).stdout
    return without_attributes(without_inlines(text))


def glue():
    """The few functions of our own: bulk copies, and steps that obey Ctrl-C."""
    with open(os.path.join(HERE, "glue.c"), encoding="utf-8") as source:
        text = source.read()
    public = re.findall(r"^(?!static)(\w[^\n;{}]*\bglue_\w+\([^{;]*\))\n\{", text, re.M)
    return text, "".join(declaration + ";\n" for declaration in public)


def make():
    include, archives, needs, flags = places()
    text, own = glue()
    builder = cffi.FFI()
    builder.cdef(declarations(include[0]) + own)
    builder.set_source(
        "cairn._cairn",
        "".join("#include <%s>\n" % name for name in headers()) + text,
        include_dirs=include, extra_objects=archives,
        extra_compile_args=["-std=gnu17", "-O2", *flags],
        extra_link_args=[*needs, "-lm", "-lpthread", "-Wl,--strip-debug"],
        py_limited_api=True)
    return builder


ffi = make()

if __name__ == "__main__":
    ffi.compile(verbose=True)
