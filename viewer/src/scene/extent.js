// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How large a scene is: the points that the camera should see, the box and radius around them, and the size of a usual
// body. A replay tells the outermost points of its whole motion; otherwise they are measured where the bodies are now.
// Outliers are left out by the rule of src/io/page_view.c: of the tenth of the bodies that are farthest away, those
// count that are at most half as far again as all others.

import { Box3, Vector3 } from 'three';
import { PRESENT } from '../wire/frame.js';
import { shapeRadius } from './geometry.js';

const OUTLIERS = 10;
const FARTHER = 1.5;
const LARGER = 4; // what does not move counts unless it is so many times larger than what moves

const width = (box) => (box.isEmpty() ? 0 : box.getSize(new Vector3()).length());

// boxes around the bodies of a frame that have a size
function boxesOf(stage, frame, accept) {
    const boxes = [];
    stage.bodies.forEach((body, i) => {
        if (!Number.isInteger(body?.shape) || !accept(body) || i >= frame.bodyCount
            || !(frame.flags[i] & PRESENT))
            return;
        const radius = shapeRadius(stage.shapes[body.shape], stage.shapes);
        if (!Number.isFinite(radius))
            return;
        const at = new Vector3().fromArray(frame.position, 3 * i);
        boxes.push(new Box3().setFromCenterAndSize(at, new Vector3().setScalar(1.6 * radius)));
    });
    return boxes;
}

const around = (boxes) => boxes.reduce((all, box) => all.union(box), new Box3());

function median(list) {
    const sorted = [...list].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)];
}

function withoutOutliers(boxes) {
    if (boxes.length < OUTLIERS)
        return boxes;
    const middle = new Vector3(...['x', 'y', 'z'].map((k) => median(boxes.map((box) => box.min[k]))));
    const reach = (box) => Math.max(box.min.distanceTo(middle), box.max.distanceTo(middle));
    const sorted = boxes.map(reach).sort((a, b) => a - b);
    const limit = FARTHER * sorted[sorted.length - 1 - Math.floor(sorted.length / OUTLIERS)];
    return boxes.filter((box) => reach(box) <= limit);
}

function usualSize(stage) {
    const sizes = stage.bodies
        .filter((body) => body?.type === 'dynamic' && Number.isInteger(body.shape))
        .map((body) => shapeRadius(stage.shapes[body.shape], stage.shapes))
        .filter(Number.isFinite);
    return sizes.length > 0 ? median(sizes) : 1;
}

function boxAround(stage, frame) {
    const moving = around(withoutOutliers(boxesOf(stage, frame, (body) => body.type !== 'static')));
    // points that hold bodies to the world
    for (const joint of stage.joints)
        if (joint.a < 0 && joint.kind !== 'gear' && joint.kind !== 'rack' && !moving.isEmpty())
            moving.expandByPoint(new Vector3().fromArray(joint.frame_a));
    const all = around(boxesOf(stage, frame, (body) => body.type === 'static')).union(moving);
    return moving.isEmpty() || width(all) < LARGER * width(moving) ? all : moving;
}

const corners = ({ min, max }) => [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new Vector3(
    k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z));

// `view` are the points that a replay tells, or nothing
export function measure(stage, frame, view) {
    const size = usualSize(stage);
    const box = view ? new Box3().setFromPoints(view.map((p) => new Vector3(...p))) : boxAround(stage, frame);
    if (box.isEmpty())
        box.setFromCenterAndSize(new Vector3(), new Vector3().setScalar(5 * size));
    return {
        box,
        points: view ? view.map((p) => new Vector3(...p)) : corners(box),
        center: box.getCenter(new Vector3()),
        radius: Math.max(0.5 * width(box), 1.5 * size),
        size,
    };
}
