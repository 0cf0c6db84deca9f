# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Shapes. Sizes are full lengths in meters, as in scene files."""

from __future__ import annotations

import numpy as np

from ._core import BadInput, Record, call, ffi, lib, of_c, text_of, transform, vec3


class Shape:
    """A shape in its own frame; made by the functions of this module."""

    def __init__(self, value, keeps=()):
        self._c = ffi.new("cairn_shape*", value)
        self._keeps = keeps
        call(lib.cairn_shape_check, self._c)

    @property
    def kind(self) -> str:
        """"sphere", "box", "hull", ..."""
        return text_of(lib.cairn_shape_name(self._c.kind)).replace("-", "_")

    def mass_properties(self) -> Record:
        """Volume (m³), center (m) and inertia (m⁵) at density 1."""
        mass = ffi.new("cairn_mass_properties*")
        call(lib.cairn_shape_mass, self._c, mass)
        return of_c(ffi.typeof("cairn_mass_properties"), mass[0])

    def __repr__(self) -> str:
        c = self._c
        sizes = {"sphere": "radius=%g" % c.radius, "box": "%g, %g, %g" % (2 * c.half.x, 2 * c.half.y, 2 * c.half.z),
                 "capsule": "radius=%g, length=%g" % (c.radius, 2 * c.half_height),
                 "cylinder": "radius=%g, height=%g" % (c.radius, 2 * c.half_height),
                 "cone": "radius=%g, height=%g" % (c.radius, 2 * c.half_height),
                 "ellipsoid": "%g, %g, %g" % (2 * c.half.x, 2 * c.half.y, 2 * c.half.z),
                 "tapered-capsule": "radius=%g, top_radius=%g, length=%g" % (c.radius, c.top_radius, 2 * c.half_height)}
        return "cairn.%s(%s)" % (self.kind.replace("-", "_"), sizes.get(self.kind, ""))


def sphere(radius: float) -> Shape:
    """A ball about the origin."""
    return Shape(lib.cairn_shape_sphere(radius))


def box(x: float, y: float, z: float) -> Shape:
    """A box with edges x, y, z about the origin."""
    return Shape(lib.cairn_shape_box(vec3((x / 2, y / 2, z / 2))))


def capsule(radius: float, length: float) -> Shape:
    """A capsule along z; `length` is between the centers of its ends."""
    return Shape(lib.cairn_shape_capsule(radius, length / 2))


def cylinder(radius: float, height: float) -> Shape:
    """A cylinder along z about the origin."""
    return Shape(lib.cairn_shape_cylinder(radius, height / 2))


def ellipsoid(x: float, y: float, z: float) -> Shape:
    """An ellipsoid about the origin with axes of these whole lengths."""
    return Shape(lib.cairn_shape_ellipsoid((x / 2, y / 2, z / 2)))


def cone(radius: float, height: float) -> Shape:
    """A cone along z: its base half the height below the origin, its apex half of it above."""
    return Shape(lib.cairn_shape_cone(radius, height / 2))


def tapered_capsule(radius: float, top_radius: float, length: float) -> Shape:
    """The hull of two balls along z; `length` is between their centers."""
    return Shape(lib.cairn_shape_tapered_capsule(radius, top_radius, length / 2))


def half_space() -> Shape:
    """z <= 0, without end."""
    return Shape(lib.cairn_shape_half_space())


def _points(points) -> np.ndarray:
    array = np.ascontiguousarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise BadInput("points have the shape %s, expected N x 3" % (array.shape,))
    return array


def hull(points, tolerance: float = 0.0) -> Shape:
    """The convex hull of N x 3 points."""
    array = _points(points)
    place = ffi.new("cairn_hull**")
    call(lib.cairn_hull_create, ffi.cast("cairn_vec3*", array.ctypes.data), len(array), tolerance, place)
    owned = ffi.gc(place[0], lib.cairn_hull_destroy)
    return Shape(lib.cairn_shape_hull(owned), (owned,))


def mesh(vertices, triangles) -> Shape:
    """A surface of triangles, counter-clockwise from outside; for bodies that do not move."""
    points = _points(vertices)
    corners = np.ascontiguousarray(triangles, dtype=np.int32)
    definition = ffi.new("cairn_mesh_def*", {
        "vertices": ffi.cast("cairn_vec3*", points.ctypes.data), "vertex_count": len(points),
        "triangles": ffi.cast("int*", corners.ctypes.data), "triangle_count": corners.size // 3})
    place = ffi.new("cairn_mesh**")
    call(lib.cairn_mesh_create, definition, place)
    owned = ffi.gc(place[0], lib.cairn_mesh_destroy)
    return Shape(lib.cairn_shape_mesh(owned), (owned,))


def read_mesh(path) -> Shape:
    """A mesh from an OBJ or STL file."""
    from ._core import path_of
    place = ffi.new("cairn_mesh**")
    call(lib.cairn_mesh_read, path_of(path), place)
    owned = ffi.gc(place[0], lib.cairn_mesh_destroy)
    return Shape(lib.cairn_shape_mesh(owned), (owned,))


def height_field(heights, spacing: tuple[float, float] = (1.0, 1.0)) -> Shape:
    """The ground below heights[j, i] at (i spacing[0], j spacing[1]); for bodies that do not move."""
    array = np.ascontiguousarray(heights, dtype=np.float64)
    if array.ndim != 2:
        raise BadInput("heights have the shape %s, expected two dimensions" % (array.shape,))
    definition = ffi.new("cairn_height_field_def*", {
        "count_x": array.shape[1], "count_y": array.shape[0], "spacing_x": spacing[0], "spacing_y": spacing[1],
        "heights": ffi.cast("double*", array.ctypes.data)})
    place = ffi.new("cairn_height_field**")
    call(lib.cairn_height_field_create, definition, place)
    owned = ffi.gc(place[0], lib.cairn_height_field_destroy)
    return Shape(lib.cairn_shape_height_field(owned), (owned,))


def compound(parts) -> Shape:
    """Several shapes on one body: a list of (shape, position) or (shape, position, quaternion)."""
    shapes = ffi.new("cairn_shape[]", [part[0]._c[0] for part in parts])
    offsets = ffi.new("cairn_transform[]", len(parts))
    for i, part in enumerate(parts):
        offsets[i] = transform(*part[1:])
    place = ffi.new("cairn_compound**")
    call(lib.cairn_compound_create, shapes, offsets, len(parts), place)
    owned = ffi.gc(place[0], lib.cairn_compound_destroy)
    return Shape(lib.cairn_shape_compound(owned), (owned, *[part[0] for part in parts]))
