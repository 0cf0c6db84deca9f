// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Where bodies have been in the last seconds: of the selected body, or of all when there are few.

import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, LineBasicMaterial, LineSegments } from 'three';
import { PRESENT } from '../wire/frame.js';

const LENGTH = 180; // frames
const FEW = 150; // bodies of which all have a trail

export class Trails extends LineSegments {
    constructor(stage) {
        super(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.8 }));
        this.moving = stage.bodies.map((body, i) => (body?.type === 'dynamic' ? i : -1)).filter((i) => i >= 0);
        this.frustumCulled = false;
        this.past = []; // { step, position }
        this.head = new Color();
        this.tail = new Color();
    }

    setTheme(theme) {
        this.head.set(theme.select);
        this.tail.set(theme.ground);
    }

    // notes where the bodies are; time that runs back takes notes away
    note(frame) {
        while (this.past.length > 0 && this.past.at(-1).step >= frame.step)
            this.past.pop();
        this.past.push({ step: frame.step, position: frame.position, flags: frame.flags });
        if (this.past.length > LENGTH)
            this.past.shift();
    }

    update(selected) {
        const bodies = selected !== null ? [selected] : this.moving.length <= FEW ? this.moving : this.moving.slice(0, FEW);
        const count = 2 * Math.max(this.past.length - 1, 0) * bodies.length;
        this.reserve(count);
        const { position, color } = this.geometry.attributes;
        const mixed = new Color();
        let at = 0;
        for (let k = 1; k < this.past.length; k++) {
            const a = this.past[k - 1], b = this.past[k];
            mixed.lerpColors(this.tail, this.head, k / this.past.length);
            for (const body of bodies) {
                if (!(a.flags[body] & b.flags[body] & PRESENT))
                    continue;
                for (const frame of [a, b]) {
                    position.array.set(frame.position.subarray(3 * body, 3 * body + 3), 3 * at);
                    mixed.toArray(color.array, 3 * at++);
                }
            }
        }
        this.geometry.setDrawRange(0, at);
        position.needsUpdate = color.needsUpdate = true;
    }

    reserve(count) {
        if (count <= (this.geometry.attributes.position?.count ?? 0) && this.geometry.attributes.position)
            return;
        this.geometry.dispose();
        this.geometry = new BufferGeometry();
        for (const name of ['position', 'color'])
            this.geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * (2 * count + 512)), 3).setUsage(DynamicDrawUsage));
    }

    dispose() {
        this.geometry.dispose();
        this.material.dispose();
    }
}
