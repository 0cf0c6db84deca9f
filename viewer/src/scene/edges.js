// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The edges of bodies as thin lines, so that stones of one color are told apart. They share the places of the bodies:
// one draw call for each different shape.

import { BoxGeometry, EdgesGeometry, LineBasicMaterial, LineSegments } from 'three';

const SHARP = 35; // degrees: flatter edges are not drawn
const BEVEL = 0.06 * (1 - Math.SQRT1_2); // of the smallest half length: to the middle of a bevel

// the edges of a shape, or null when it is round or too rich
export function edgeGeometry(shape, geometry) {
    if (['sphere', 'capsule', 'ellipsoid', 'tapered-capsule', 'mesh', 'height-field', 'half-space'].includes(shape.kind))
        return null;
    if (shape.kind === 'box') {
        const inset = BEVEL * Math.min(...shape.half);
        return new EdgesGeometry(new BoxGeometry(...shape.half.map((x) => 2 * (x - inset))));
    }
    const edges = new EdgesGeometry(geometry, SHARP);
    return edges.attributes.position.count > 4000 ? null : edges;
}

// lines at every place of an instanced mesh; three.js draws instances of whatever says that it has them
export class Edges extends LineSegments {
    constructor(geometry, mesh) {
        super(geometry, new LineBasicMaterial({ transparent: true, opacity: 0.5 }));
        this.isInstancedMesh = true;
        this.instanceMatrix = mesh.instanceMatrix;
        this.instanceColor = null;
        this.morphTexture = null;
        this.count = mesh.count;
        this.frustumCulled = false;
        this.raycast = () => {};
    }

    setTheme(theme) {
        this.material.color.set(theme.edge);
        this.material.opacity = theme.edgeOpacity;
    }

    dispose() {
        this.dispatchEvent({ type: 'dispose' });
    }
}
