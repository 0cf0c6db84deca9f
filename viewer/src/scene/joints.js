// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joints as thin lines: from the first body to its point, from there to the point of the second body, and to that
// body. Inside of links one does not see them; strings and rods without a shape are seen. A pin marks a point that
// holds a body to the world. Gears have no point, what slides along the world has none that stays, and surfaces are
// drawn as such.

import {
    BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4,
    MeshStandardMaterial, SphereGeometry, Vector3,
} from 'three';
import { PRESENT } from '../wire/frame.js';
import { poseMatrix } from './bodies.js';

const PIN = 0.1; // sizes of a body
const NO_POINT = new Set(['gear', 'surface', 'rolling', 'locks', 'rack', 'screw', 'pulley', 'along', 'twist', 'around']);
const SLIDES = new Set(['slider', 'cylindrical', 'wheel']);

export class Joints extends Group {
    // `size` (m) is the radius of a usual body
    constructor(stage, theme, size) {
        super();
        this.joints = stage.joints.filter(({ kind, a }) => !NO_POINT.has(kind) && !(a < 0 && SLIDES.has(kind)));
        const geometry = new BufferGeometry();
        const points = new BufferAttribute(new Float32Array(18 * this.joints.length), 3);
        geometry.setAttribute('position', points.setUsage(DynamicDrawUsage));
        this.lines = new LineSegments(geometry, new LineBasicMaterial());
        this.lines.frustumCulled = false;
        this.pins = this.makePins(size);
        this.add(this.lines, this.pins);
        this.setTheme(theme);
    }

    makePins(size) {
        const held = this.joints.filter((joint) => joint.a < 0);
        const pins = new InstancedMesh(new SphereGeometry(PIN * size, 16, 12), new MeshStandardMaterial({ roughness: 0.35, metalness: 0.6 }), held.length);
        held.forEach((joint, k) => pins.setMatrixAt(k, new Matrix4().makeTranslation(...joint.frame_a.slice(0, 3))));
        pins.castShadow = true;
        return pins;
    }

    setTheme(theme) {
        this.lines.material.color.set(theme.joint);
        this.pins.material.color.set(theme.joint);
    }

    // the middle of a body and a point of it; of the world the point twice
    end(frame, next, alpha, body, place) {
        const point = new Vector3(place[0], place[1], place[2]);
        if (body < 0)
            return { middle: point, point };
        if (!(body < frame.bodyCount && frame.flags[body] & PRESENT))
            return null;
        const pose = poseMatrix(new Matrix4(), body, frame, next, alpha);
        return { middle: new Vector3().setFromMatrixPosition(pose), point: point.applyMatrix4(pose) };
    }

    place(frame, next, alpha) {
        const { array } = this.lines.geometry.attributes.position;
        this.joints.forEach((joint, k) => {
            const a = this.end(frame, next, alpha, joint.a, joint.frame_a);
            const b = this.end(frame, next, alpha, joint.b, joint.frame_b);
            const points = a && b ? [a.middle, a.point, a.point, b.point, b.point, b.middle] : [];
            array.fill(0, 18 * k, 18 * k + 18);
            points.forEach((p, i) => p.toArray(array, 18 * k + 3 * i));
        });
        this.lines.geometry.attributes.position.needsUpdate = true;
    }

    dispose() {
        for (const part of this.children) {
            part.geometry.dispose();
            part.material.dispose();
        }
        this.pins.dispose();
    }
}
