// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The surfaces on which joints let bodies run: spheres, tubes and rings of glass. A plane is not drawn, since a body
// or the ground shows it; a tube is as long as the scene.

import { BufferGeometry, CylinderGeometry, Group, Matrix4, Mesh, Quaternion, SphereGeometry, TorusGeometry, Vector3 } from 'three';
import { PRESENT } from '../wire/frame.js';
import { poseMatrix } from './bodies.js';
import { glassEdges, glassMeshes, paintGlass } from './glass.js';

const SIDES = 64;

function frameMatrix([x, y, z, qw, qx, qy, qz]) {
    return new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw), new Vector3(1, 1, 1));
}

// from where to where a tube about the z axis of a frame covers a box
function span(frame, box) {
    const back = frame.clone().invert();
    const list = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new Vector3(
        k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z).applyMatrix4(back).z);
    return [Math.min(...list), Math.max(...list)];
}

// circles about the z axis, each given as [radius, z]: faint glass without an outline is lost on a light ground
function circles(...list) {
    const points = [];
    for (const [radius, z] of list)
        for (let i = 0; i < SIDES; i++)
            for (const k of [i, i + 1])
                points.push(new Vector3(radius * Math.cos((2 * Math.PI * k) / SIDES), radius * Math.sin((2 * Math.PI * k) / SIDES), z));
    return new BufferGeometry().setFromPoints(points);
}

function shapeOf(joint, box) {
    switch (joint.surface) {
    case 'sphere':
        return {
            geometry: new SphereGeometry(joint.radius, SIDES, SIDES / 2),
            edges: circles([joint.radius, 0], [0.7 * joint.radius, 0.714 * joint.radius], [0.7 * joint.radius, -0.714 * joint.radius]),
        };
    case 'torus':
        return {
            geometry: new TorusGeometry(joint.radius, joint.tube, SIDES / 2, SIDES),
            edges: circles([joint.radius + joint.tube, 0], [joint.radius, joint.tube], [joint.radius, -joint.tube],
                [joint.radius - joint.tube, 0]),
        };
    case 'cylinder': {
        const [lo, hi] = span(frameMatrix(joint.frame_a), box);
        return {
            geometry: new CylinderGeometry(joint.radius, joint.radius, hi - lo, SIDES, 1, true)
                .rotateX(Math.PI / 2).translate(0, 0, 0.5 * (lo + hi)),
            edges: circles([joint.radius, lo], [joint.radius, hi]),
        };
    }
    default:
        return null;
    }
}

export class Surfaces extends Group {
    constructor(stage, theme, box) {
        super();
        for (const joint of stage.joints) {
            const shape = joint.surface ? shapeOf(joint, box) : null;
            if (shape)
                this.addSurface(joint, shape);
        }
        this.setTheme(theme);
    }

    addSurface(joint, { geometry, edges }) {
        const one = new Group();
        one.matrixAutoUpdate = false;
        one.userData = { joint, frame: frameMatrix(joint.frame_a) };
        one.add(...glassMeshes((material) => new Mesh(geometry, material)));
        const lines = glassEdges(geometry);
        lines.geometry.dispose();
        lines.geometry = edges;
        one.add(lines);
        this.add(one);
    }

    setTheme(theme) {
        for (const one of this.children)
            one.children.forEach((part) => paintGlass(part, theme));
    }

    place(frame, next, alpha) {
        for (const one of this.children) {
            const { joint, frame: offset } = one.userData;
            const world = joint.a < 0;
            one.visible = world || (joint.a < frame.bodyCount && (frame.flags[joint.a] & PRESENT) !== 0);
            if (world)
                one.matrix.copy(offset);
            else if (one.visible)
                poseMatrix(one.matrix, joint.a, frame, next, alpha).multiply(offset);
            one.matrixWorldNeedsUpdate = true;
        }
    }

    dispose() {
        this.traverse((part) => { part.geometry?.dispose(); part.material?.dispose(); });
    }
}
