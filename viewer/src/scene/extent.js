// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How large a scene is: the center and radius that the camera should see, and the size of a usual body.

import { Box3, Vector3 } from 'three';
import { PRESENT } from '../wire/frame.js';
import { shapeRadius } from './geometry.js';

const placeOf = (frame, i) => new Vector3().fromArray(frame.position, 3 * i);

function boxAround(stage, frame, accept) {
    const box = new Box3();
    stage.bodies.forEach((body, i) => {
        if (!Number.isInteger(body?.shape) || !accept(body) || i >= frame.bodyCount
            || !(frame.flags[i] & PRESENT))
            return;
        const radius = shapeRadius(stage.shapes[body.shape], stage.shapes);
        if (!Number.isFinite(radius))
            return;
        const reach = new Vector3().setScalar(0.8 * radius);
        box.expandByPoint(placeOf(frame, i).sub(reach)).expandByPoint(placeOf(frame, i).add(reach));
    });
    return box;
}

function usualSize(stage) {
    const sizes = stage.bodies
        .filter((body) => body?.type === 'dynamic' && Number.isInteger(body.shape))
        .map((body) => shapeRadius(stage.shapes[body.shape], stage.shapes))
        .filter(Number.isFinite)
        .sort((a, b) => a - b);
    return sizes.length > 0 ? sizes[Math.floor(sizes.length / 2)] : 1;
}

export function measure(stage, frame) {
    const size = usualSize(stage);
    const moving = boxAround(stage, frame, (body) => body.type !== 'static');
    const all = boxAround(stage, frame, () => true);
    // what does not move counts unless it is much larger than what moves
    const width = (box) => (box.isEmpty() ? 0 : box.getSize(new Vector3()).length());
    const box = moving.isEmpty() || width(all) < 4 * width(moving) ? all : moving;
    if (box.isEmpty())
        box.setFromCenterAndSize(new Vector3(), new Vector3().setScalar(5 * size));
    return {
        box,
        center: box.getCenter(new Vector3()),
        radius: Math.max(0.5 * width(box), 1.5 * size),
        size,
    };
}
