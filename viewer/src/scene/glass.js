// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Glass: the nearest surface alone, faintly, with its edges. Depth is drawn first and without color, so that seams
// inside of a compound and the walls behind do not add up.

import { EdgesGeometry, FrontSide, LineBasicMaterial, LineSegments, MeshStandardMaterial } from 'three';

const EDGE_ANGLE = 30; // degrees: flatter edges are not drawn
const OPACITY = 0.13;
const FLAT = '0.6'; // opacity where one looks along the surface

// glass mirrors more the flatter one looks at it (Schlick): F = F0 + (1 - F0) (1 - cos a)^5
function mirrored(material) {
    material.onBeforeCompile = (shader) => {
        shader.fragmentShader = shader.fragmentShader.replace('#include <opaque_fragment>', `
            float cairnFlat = pow(1.0 - abs(dot(normalize(vViewPosition), normal)), 5.0);
            diffuseColor.a = mix(diffuseColor.a, ${FLAT}, cairnFlat);
            #include <opaque_fragment>`);
    };
    material.customProgramCacheKey = () => 'cairn-glass';
    return material;
}

const materials = {
    depth: () => new MeshStandardMaterial({ colorWrite: false, side: FrontSide, transparent: true }),
    color: () => mirrored(new MeshStandardMaterial({
        side: FrontSide, transparent: true, opacity: OPACITY, depthWrite: false, roughness: 0.1,
    })),
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
