// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Glass: the nearest surface alone, faintly, with its edges. Depth is drawn first and without color, so that seams
// inside of a compound and the walls behind do not add up.

import { EdgesGeometry, FrontSide, LineBasicMaterial, LineSegments, MeshStandardMaterial } from 'three';

const EDGE_ANGLE = 30; // degrees: flatter edges are not drawn
const OPACITY = 0.13;

const materials = {
    depth: () => new MeshStandardMaterial({ colorWrite: false, side: FrontSide, transparent: true }),
    color: () => new MeshStandardMaterial({
        side: FrontSide, transparent: true, opacity: OPACITY, depthWrite: false,
    }),
};

// two meshes from `make(material)`, to be drawn behind everything that is not glass, one after the other
export function glassMeshes(make) {
    return ['depth', 'color'].map((name, k) => {
        const mesh = make(materials[name]());
        mesh.renderOrder = 10 + k;
        mesh.castShadow = false;
        mesh.receiveShadow = false;
        mesh.userData.glass = name;
        return mesh;
    });
}

export function glassEdges(geometry) {
    const lines = new LineSegments(new EdgesGeometry(geometry, EDGE_ANGLE),
        new LineBasicMaterial({ transparent: true, opacity: 0.55 }));
    lines.renderOrder = 9;
    return lines;
}

export function paintGlass(object, theme) {
    if (object.isLineSegments)
        object.material.color.set(theme.glassEdge);
    else
        object.material.color.set(theme.glass);
}
