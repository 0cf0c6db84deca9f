// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How forces run through a pile: from the center of a body to the point where it touches, and on to the center of the
// next; as thick as the force is large. What does not move has no center, and the chain ends at the point.

import { CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3, Color } from 'three';
import { OPEN, SLIDE } from '../wire/frame.js';
import { arrowColors } from './theme.js';

const THICKEST = 0.12; // sizes of a body: the radius of the largest force
const FAINTEST = 0.02; // of the largest force: less is not drawn

const up = new Vector3(0, 0, 1);

export class Chains extends Group {
    // `size` (m) is the radius of a usual body
    constructor(stage, size) {
        super();
        this.stage = stage;
        this.size = size;
        this.capacity = 0;
    }

    reserve(count) {
        if (count <= this.capacity)
            return;
        this.dispose();
        this.capacity = Math.ceil(1.5 * count) + 64;
        const material = new MeshBasicMaterial({ toneMapped: false, transparent: true, opacity: 0.9 });
        this.mesh = new InstancedMesh(new CylinderGeometry(1, 1, 1, 8, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5),
            material, this.capacity);
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        this.mesh.setColorAt(0, new Color());
        this.mesh.frustumCulled = false;
        this.add(this.mesh);
    }

    dispose() {
        if (!this.mesh)
            return;
        this.remove(this.mesh);
        this.mesh.geometry.dispose();
        this.mesh.material.dispose();
        this.mesh.dispose();
        this.mesh = null;
    }

    hide() {
        if (this.mesh)
            this.mesh.count = 0;
    }

    update(frame) {
        const { contactImpulse: f, contactPoint: p, contactState: state, contactPair: pair } = frame;
        let most = 0, count = 0;
        const sizes = new Float32Array(frame.contactCount);
        for (let c = 0; c < frame.contactCount; c++) {
            sizes[c] = state[c] === OPEN ? 0 : Math.hypot(f[3 * c], f[3 * c + 1], f[3 * c + 2]);
            most = Math.max(most, sizes[c]);
        }
        this.reserve(2 * frame.contactCount);
        for (let c = 0; c < frame.contactCount; c++) {
            if (!(sizes[c] > FAINTEST * most))
                continue;
            const point = new Vector3().fromArray(p, 3 * c);
            const width = THICKEST * this.size * Math.sqrt(sizes[c] / most);
            const color = state[c] === SLIDE ? arrowColors.slide : arrowColors.stick;
            for (const body of [pair[2 * c], pair[2 * c + 1]])
                if (this.stage.bodies[body]?.type === 'dynamic')
                    this.put(count++, new Vector3().fromArray(frame.position, 3 * body), point, width, color);
        }
        this.mesh.count = count;
        this.mesh.instanceMatrix.needsUpdate = true;
        this.mesh.instanceColor.needsUpdate = true;
    }

    put(k, from, to, width, color) {
        const way = to.clone().sub(from), length = way.length();
        const turn = new Quaternion().setFromUnitVectors(up, way.divideScalar(length || 1));
        this.mesh.setMatrixAt(k, new Matrix4().compose(from, turn, new Vector3(width, width, length)));
        this.mesh.setColorAt(k, color);
    }
}
