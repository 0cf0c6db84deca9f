// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A shape of the stage becomes triangles in the shape's own frame, z up. Round shapes carry a faint pattern, so that
// one sees them turn; flat ones have narrow bevels, so that one sees them apart.

import {
    BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, LatheGeometry, Matrix4, PlaneGeometry,
    Quaternion, SphereGeometry, Vector2, Vector3,
} from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { mergeGeometries, toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';

const CREASE = 0.6; // rad: edges that bend more stay sharp
const SHADE = 0.8; // of the darker parts of a pattern

// every geometry has position, normal and color, no index, so that any of them can be merged
function plain(geometry) {
    const g = geometry.index ? geometry.toNonIndexed() : geometry;
    g.deleteAttribute('uv');
    if (!g.attributes.color)
        g.setAttribute('color', new BufferAttribute(new Float32Array(g.attributes.position.count * 3).fill(1), 3));
    g.clearGroups?.();
    return g;
}

// darkens the triangles for which `dark(x, y, z)` of their center holds
function pattern(geometry, dark) {
    const g = plain(geometry);
    const p = g.attributes.position.array;
    const c = g.attributes.color.array;
    for (let i = 0; i < p.length; i += 9) {
        if (dark(p[i] + p[i + 3] + p[i + 6], p[i + 1] + p[i + 4] + p[i + 7], p[i + 2] + p[i + 5] + p[i + 8]))
            c.fill(SHADE, i, i + 9);
    }
    return g;
}

const octants = (x, y, z) => x * y * z > 0;
const quarters = (x, y) => x * y > 0;

function box([x, y, z]) {
    const least = Math.min(x, y, z), most = Math.max(x, y, z);
    // a bevel is lost on plates
    if (least < 0.02 * most)
        return plain(new BoxGeometry(2 * x, 2 * y, 2 * z));
    return plain(new RoundedBoxGeometry(2 * x, 2 * y, 2 * z, 1, 0.06 * least));
}

// `sides` of round things: multiples of four, so that the pattern has straight edges
function sphere(radius, sides) {
    return pattern(new SphereGeometry(radius, sides, sides / 2).rotateX(Math.PI / 2), octants);
}

function capsule(radius, half, sides) {
    return pattern(new CapsuleGeometry(radius, 2 * half, sides / 4, sides).rotateX(Math.PI / 2), quarters);
}

function cylinder(radius, half, sides) {
    return pattern(new CylinderGeometry(radius, radius, 2 * half, sides).rotateX(Math.PI / 2), quarters);
}

function ellipsoid(half, sides) {
    return sphere(1, sides).scale(...half);
}

function cone(radius, half, sides) {
    return pattern(new CylinderGeometry(0, radius, 2 * half, sides).rotateX(Math.PI / 2), quarters);
}

// The outline of two balls and the cone that touches both, turned about z. An angle from -90 to 90 degrees is that of
// the normal above the plane; below the sine of the cone it is one of the lower ball.
function taperedCapsule(lower, upper, half, sides) {
    const side = Math.asin((lower - upper) / (2 * half)), steps = sides / 4;
    const outline = [];
    for (const [radius, z, from, to] of [[lower, -half, -Math.PI / 2, side], [upper, half, side, Math.PI / 2]])
        for (let i = 0; i <= steps; ++i) {
            const angle = from + (to - from) * i / steps;
            outline.push(new Vector2(radius * Math.cos(angle), z + radius * Math.sin(angle)));
        }
    return pattern(new LatheGeometry(outline, sides).rotateX(Math.PI / 2), quarters);
}

// flat lists of coordinates and of vertex indices
function triangles(vertices, indices) {
    const g = new BufferGeometry();
    g.setAttribute('position', new BufferAttribute(new Float32Array(vertices), 3));
    g.setIndex([...indices]);
    return plain(toCreasedNormals(g.toNonIndexed(), CREASE));
}

function heightField(shape) {
    const { count_x: nx, count_y: ny, heights } = shape;
    const [dx, dy] = shape.spacing;
    const vertices = [], indices = [];
    for (let j = 0; j < ny; j++)
        for (let i = 0; i < nx; i++)
            vertices.push(i * dx, j * dy, heights[j * nx + i]);
    // two triangles along the diagonal from (i, j) to (i+1, j+1)
    for (let j = 0; j + 1 < ny; j++) {
        for (let i = 0; i + 1 < nx; i++) {
            const a = j * nx + i, b = a + 1, c = a + nx, d = c + 1;
            indices.push(a, b, d, a, d, c);
        }
    }
    return triangles(vertices, indices);
}

function compound(shape, shapes) {
    const parts = shape.parts.map((part) => {
        const [x, y, z, qw, qx, qy, qz] = part.offset;
        const g = shapeGeometry(shapes[part.shape], shapes).clone();
        return g.applyMatrix4(new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw),
            new Vector3(1, 1, 1)));
    });
    return mergeGeometries(parts);
}

// `count` bodies will have it: the more there are, the coarser is each
export function shapeGeometry(shape, shapes, count = 1) {
    const sides = count > 300 ? 16 : count > 60 ? 24 : 40;
    switch (shape.kind) {
    case 'sphere':
        return sphere(shape.radius, sides);
    case 'capsule':
        return capsule(shape.radius, shape.half_height, sides);
    case 'box':
        return box(shape.half);
    case 'cylinder':
        return cylinder(shape.radius, shape.half_height, sides);
    case 'ellipsoid':
        return ellipsoid(shape.half, sides);
    case 'cone':
        return cone(shape.radius, shape.half_height, sides);
    case 'tapered-capsule':
        return taperedCapsule(shape.radius, shape.top_radius, shape.half_height, sides);
    case 'hull':
    case 'mesh':
        return triangles(shape.vertices, shape.triangles);
    case 'height-field':
        return heightField(shape);
    case 'half-space':
        return plain(new PlaneGeometry(1, 1));
    case 'compound':
        return compound(shape, shapes);
    default:
        throw new Error(`a shape of an unknown kind: ${shape.kind}`);
    }
}

// the radius of a shape about its origin; a half-space has none
export function shapeRadius(shape, shapes) {
    switch (shape.kind) {
    case 'sphere':
        return shape.radius;
    case 'capsule':
        return shape.radius + shape.half_height;
    case 'box':
        return Math.hypot(...shape.half);
    case 'ellipsoid':
        return Math.max(...shape.half);
    case 'tapered-capsule':
        return Math.max(shape.radius, shape.top_radius) + shape.half_height;
    case 'cylinder':
    case 'cone':
        return Math.hypot(shape.radius, shape.half_height);
    case 'half-space':
        return Infinity;
    case 'height-field':
        return Math.hypot(shape.count_x * shape.spacing[0], shape.count_y * shape.spacing[1]);
    case 'compound':
        return Math.max(...shape.parts.map((part) =>
            Math.hypot(...part.offset.slice(0, 3)) + shapeRadius(shapes[part.shape], shapes)));
    default: {
        let most = 0;
        for (let i = 0; i < shape.vertices.length; i += 3)
            most = Math.max(most, Math.hypot(shape.vertices[i], shape.vertices[i + 1], shape.vertices[i + 2]));
        return most;
    }
    }
}
