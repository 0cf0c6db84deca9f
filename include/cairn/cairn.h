// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Cairn: rigid-body dynamics and contact solvers that certify their answers. This header includes
// the whole core; file formats are in <cairn/io.h>, which belongs to the library cairn-io.
#ifndef CAIRN_CAIRN_H
#define CAIRN_CAIRN_H

#include <cairn/alert.h>
#include <cairn/base.h>
#include <cairn/batch.h>
#include <cairn/body.h>
#include <cairn/collide.h>
#include <cairn/draw.h>
#include <cairn/drive.h>
#include <cairn/generate.h>
#include <cairn/hooks.h>
#include <cairn/joint.h>
#include <cairn/lcp.h>
#include <cairn/math.h>
#include <cairn/multibody.h>
#include <cairn/painleve.h>
#include <cairn/problem.h>
#include <cairn/shape.h>
#include <cairn/snapshot.h>
#include <cairn/solve.h>
#include <cairn/tree.h>
#include <cairn/world.h>

#endif
