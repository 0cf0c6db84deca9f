// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the engine draws of itself (cairn_world_draw): lines, points and words, over the bodies.

import {
    BufferAttribute, BufferGeometry, CanvasTexture, Color, Group, LineBasicMaterial, LineSegments, Points,
    PointsMaterial, Sprite, SpriteMaterial,
} from 'three';

const LINE = 7, POINT = 4; // numbers of each: places, and a color

// both attributes from a list whose items are so many places and a color
function geometry(list, stride) {
    const places = (stride - 1) / 3, count = list.length / stride;
    const position = new Float32Array(3 * places * count), color = new Float32Array(3 * places * count);
    const shade = new Color();
    for (let i = 0; i < count; i++) {
        const item = list.slice(stride * i, stride * (i + 1));
        position.set(item.slice(0, -1), 3 * places * i);
        shade.setHex(item.at(-1));
        for (let k = 0; k < places; k++)
            shade.toArray(color, 3 * (places * i + k));
    }
    const made = new BufferGeometry();
    made.setAttribute('position', new BufferAttribute(position, 3));
    made.setAttribute('color', new BufferAttribute(color, 3));
    return made;
}

function label(text, color) {
    const canvas = document.createElement('canvas');
    canvas.width = 128;
    canvas.height = 64;
    const pen = canvas.getContext('2d');
    pen.font = '48px sans-serif';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillStyle = `#${color.toString(16).padStart(6, '0')}`;
    pen.strokeStyle = '#202020';
    pen.lineWidth = 6;
    pen.strokeText(text, 64, 32);
    pen.fillText(text, 64, 32);
    const sprite = new Sprite(new SpriteMaterial({
        map: new CanvasTexture(canvas), depthTest: false, sizeAttenuation: false, toneMapped: false,
    }));
    sprite.scale.set(0.03, 0.015, 1);
    return sprite;
}

export class Drawing extends Group {
    constructor() {
        super();
        this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, toneMapped: false }));
        this.points = new Points(new BufferGeometry(),
            new PointsMaterial({ vertexColors: true, size: 5, sizeAttenuation: false, toneMapped: false }));
        this.labels = new Group();
        this.lines.frustumCulled = this.points.frustumCulled = false;
        this.add(this.lines, this.points, this.labels);
        this.visible = false;
    }

    // a message `drawing`
    show({ lines, points, texts }) {
        for (const [object, list, stride] of [[this.lines, lines, LINE], [this.points, points, POINT]]) {
            object.geometry.dispose();
            object.geometry = geometry(list, stride);
        }
        for (const sprite of this.labels.children) {
            sprite.material.map.dispose();
            sprite.material.dispose();
        }
        this.labels.clear();
        for (const [[x, y, z, color], text] of texts) {
            const sprite = label(text, color);
            sprite.position.set(x, y, z);
            this.labels.add(sprite);
        }
        this.visible = true;
    }
}
