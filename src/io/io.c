// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
#include <cairn/base.h>
typedef int cairn_io_placeholder;
