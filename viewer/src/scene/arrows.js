// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contact forces as arrows: from the point of contact, in the direction in which the second body is pushed, as long as
// the force is large. The scale follows the forces by itself, in steps of 1, 2 and 5, and only when they leave the
// range in which they are easy to see.

import {
    Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion,
    Scene, Vector3,
} from 'three';
import { OPEN, SLIDE } from '../wire/frame.js';
import { niceStep } from '../ui/format.js';
import { arrowColors } from './theme.js';

const USUAL = 1.1; // sizes of a body that the arrow of a large force is long
const LONGEST = 5; // sizes of a body beyond which an arrow is cut
const THICKNESS = 0.016; // sizes of a body: the radius of a shaft
const PERCENTILE = 0.9;

function instances(geometry, capacity) {
    const mesh = new InstancedMesh(geometry, new MeshBasicMaterial({ toneMapped: false, transparent: true, opacity: 0.85 }),
        capacity);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.setColorAt(0, new Color());
    mesh.instanceColor.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.count = 0;
    return mesh;
}

const up = new Vector3(0, 0, 1);

export class Arrows {
    // `size` (m) is the radius of a usual body
    constructor(size) {
        this.size = size;
        this.perMeter = 0; // N
        this.scene = new Scene();
        this.capacity = 0;
    }

    // room for so many arrows
    reserve(count) {
        if (count <= this.capacity)
            return;
        this.dispose();
        this.capacity = Math.ceil(1.5 * count) + 64;
        this.shafts = instances(new CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2).translate(0, 0, 0.5),
            this.capacity);
        this.heads = instances(new ConeGeometry(1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5), this.capacity);
        this.scene.add(this.shafts, this.heads);
    }

    dispose() {
        for (const mesh of [this.shafts, this.heads]) {
            if (!mesh)
                continue;
            this.scene.remove(mesh);
            mesh.geometry.dispose();
            mesh.material.dispose();
            mesh.dispose();
        }
    }

    // keeps the scale while the large forces stay between a third and three times the usual length
    rescale(forces) {
        if (forces.length === 0)
            return;
        const sorted = Float32Array.from(forces).sort();
        const large = sorted[Math.floor(PERCENTILE * (sorted.length - 1))];
        const length = this.perMeter > 0 ? large / this.perMeter / this.size : 0;
        if (large > 0 && !(length > USUAL / 3 && length < USUAL * 2))
            this.perMeter = niceStep(large / (USUAL * this.size));
    }

    update(frame, dt) {
        this.reserve(frame.contactCount);
        const { contactImpulse: f, contactPoint: p, contactState: state } = frame;
        const forces = [];
        for (let c = 0; c < frame.contactCount; c++)
            if (state[c] !== OPEN)
                forces.push(Math.hypot(f[3 * c], f[3 * c + 1], f[3 * c + 2]) / dt);
        this.rescale(forces);
        let count = 0;
        for (let c = 0, k = 0; c < frame.contactCount; c++) {
            if (state[c] === OPEN)
                continue;
            const length = Math.min(forces[k++] / this.perMeter, LONGEST * this.size);
            if (!(length > 0.02 * this.size))
                continue;
            const way = new Vector3(f[3 * c], f[3 * c + 1], f[3 * c + 2]).normalize();
            const from = new Vector3(p[3 * c], p[3 * c + 1], p[3 * c + 2]);
            this.put(count++, from, way, length, state[c] === SLIDE ? arrowColors.slide : arrowColors.stick);
        }
        this.finish(count);
    }

    put(k, from, way, length, color) {
        const width = THICKNESS * this.size;
        const head = Math.min(9 * width, 0.5 * length);
        const turn = new Quaternion().setFromUnitVectors(up, way);
        const matrix = new Matrix4();
        this.shafts.setMatrixAt(k, matrix.compose(from, turn, new Vector3(width, width, length - head)));
        from = from.clone().addScaledVector(way, length - head);
        const broad = Math.min(3 * width, 0.45 * head);
        this.heads.setMatrixAt(k, matrix.compose(from, turn, new Vector3(broad, broad, head)));
        this.shafts.setColorAt(k, color);
        this.heads.setColorAt(k, color);
    }

    finish(count) {
        for (const mesh of [this.shafts, this.heads]) {
            mesh.count = count;
            mesh.instanceMatrix.needsUpdate = true;
            mesh.instanceColor.needsUpdate = true;
        }
    }
}
