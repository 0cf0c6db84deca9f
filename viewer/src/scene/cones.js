// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The friction cones of contacts: from the point of contact along the normal, as wide as friction allows. Coulomb's law
// says that the force on the second body lies in its cone: inside where the contact sticks, on the surface where it
// slides. Of a contact with the coefficient μ the slope is μ; every cone has the same slant, whatever the force is.

import {
    Color, ConeGeometry, DoubleSide, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion,
    TorusGeometry, Vector3,
} from 'three';
import { OPEN, SLIDE } from '../wire/frame.js';
import { arrowColors } from './theme.js';

const SLANT = 0.5; // sizes of a body
const RIM = 0.03; // of the radius of the opening: the thickness of its rim

const up = new Vector3(0, 0, 1);

export class Cones extends Group {
    // `size` (m) is the radius of a usual body
    constructor(size) {
        super();
        this.size = size;
        this.capacity = 0;
    }

    make(geometry, opacity) {
        const material = new MeshBasicMaterial({
            toneMapped: false, transparent: true, opacity, side: DoubleSide, depthWrite: false,
        });
        const mesh = new InstancedMesh(geometry, material, this.capacity);
        mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        mesh.setColorAt(0, new Color());
        mesh.frustumCulled = false;
        mesh.count = 0;
        this.add(mesh);
        return mesh;
    }

    reserve(count) {
        if (count <= this.capacity)
            return;
        this.dispose();
        this.capacity = Math.ceil(1.5 * count) + 64;
        // of height and radius 1, with the tip in the origin
        this.sides = this.make(new ConeGeometry(1, 1, 20, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5), 0.22);
        this.rims = this.make(new TorusGeometry(1, RIM, 4, 20).translate(0, 0, 1), 0.8);
    }

    get meshes() {
        return this.sides ? [this.sides, this.rims] : [];
    }

    dispose() {
        for (const mesh of this.meshes) {
            this.remove(mesh);
            mesh.geometry.dispose();
            mesh.material.dispose();
            mesh.dispose();
        }
        this.sides = this.rims = null;
        this.capacity = 0;
    }

    hide() {
        for (const mesh of this.meshes)
            mesh.count = 0;
    }

    get count() {
        return this.sides?.count ?? 0;
    }

    update(frame) {
        const { contactPoint: p, contactNormal: n, contactState: state, contactFriction: mu } = frame;
        const matrix = new Matrix4(), turn = new Quaternion(), place = new Vector3(), way = new Vector3(), scale = new Vector3();
        let count = 0;
        this.reserve(frame.contactCount);
        for (let c = 0; c < frame.contactCount; c++) {
            if (state[c] === OPEN || !(mu[c] > 0))
                continue;
            const height = (SLANT * this.size) / Math.hypot(1, mu[c]);
            turn.setFromUnitVectors(up, way.fromArray(n, 3 * c).normalize());
            matrix.compose(place.fromArray(p, 3 * c), turn, scale.set(mu[c] * height, mu[c] * height, height));
            for (const mesh of this.meshes) {
                mesh.setMatrixAt(count, matrix);
                mesh.setColorAt(count, state[c] === SLIDE ? arrowColors.slide : arrowColors.stick);
            }
            count++;
        }
        for (const mesh of this.meshes) {
            mesh.count = count;
            mesh.instanceMatrix.needsUpdate = true;
            mesh.instanceColor.needsUpdate = true;
        }
    }
}
