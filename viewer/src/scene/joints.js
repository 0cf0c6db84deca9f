// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joints as thin lines: from the first body to its point, from there to the point of the second body, and to that
// body. Inside of links one does not see them; strings and rods without a shape are seen.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments, Matrix4, Vector3 } from 'three';
import { PRESENT } from '../wire/frame.js';
import { poseMatrix } from './bodies.js';

export class Joints extends LineSegments {
    constructor(stage, theme) {
        const geometry = new BufferGeometry();
        const points = new BufferAttribute(new Float32Array(18 * stage.joints.length), 3);
        geometry.setAttribute('position', points.setUsage(DynamicDrawUsage));
        super(geometry, new LineBasicMaterial());
        this.frustumCulled = false;
        this.joints = stage.joints;
        this.setTheme(theme);
    }

    setTheme(theme) {
        this.material.color.set(theme.joint);
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
        const { array } = this.geometry.attributes.position;
        this.joints.forEach((joint, k) => {
            const a = this.end(frame, next, alpha, joint.a, joint.frame_a);
            const b = this.end(frame, next, alpha, joint.b, joint.frame_b);
            const points = a && b ? [a.middle, a.point, a.point, b.point, b.point, b.middle] : [];
            array.fill(0, 18 * k, 18 * k + 18);
            points.forEach((p, i) => p.toArray(array, 18 * k + 3 * i));
        });
        this.geometry.attributes.position.needsUpdate = true;
    }

    dispose() {
        this.geometry.dispose();
        this.material.dispose();
    }
}
