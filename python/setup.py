# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Builds the extension against the static libraries: those of CAIRN_BUILD, or those of pkg-config."""

import os
import sys

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel

# the folder of this file, which a build front end does not search
sys.path.insert(0, os.getcwd())
import binding  # noqa: E402


class Abi3Wheel(bdist_wheel):
    """One wheel serves every Python from 3.9 on."""

    def get_tag(self):
        _, _, platform = super().get_tag()
        return "cp39", "abi3", platform


setup(version=binding.version(), cffi_modules=["binding.py:ffi"], cmdclass={"bdist_wheel": Abi3Wheel})
