// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Pulling a body with the pointer: a spring from the point that was taken to the plane through it that faces the
// camera. A press that does not move remains a click.

import { Matrix4, Vector3 } from 'three';
import { poseMatrix } from '../scene/bodies.js';

const STILL = 4; // pixels within which a press is a click
const PAUSE = 25; // ms between two messages

export class Drag {
    constructor(shell, connection) {
        this.shell = shell;
        this.connection = connection;
        this.held = null;
        const { canvas } = shell;
        // before the camera's own listener, which then stays out of it
        canvas.addEventListener('pointerdown', (event) => this.press(event), { capture: true });
        canvas.addEventListener('pointermove', (event) => this.move(event));
        for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'])
            canvas.addEventListener(end, () => this.release());
    }

    pose(body) {
        return poseMatrix(new Matrix4(), body, this.shell.shown.a, null, 0);
    }

    press(event) {
        const { shell } = this;
        if (!event.isPrimary || event.button !== 0 || !shell.shown)
            return;
        const hit = shell.picture.pick(event);
        if (!hit || shell.stage.bodies[hit.body]?.type !== 'dynamic')
            return;
        shell.picture.controls.enabled = false;
        shell.canvas.setPointerCapture(event.pointerId);
        this.held = {
            body: hit.body, anchor: hit.point, x: event.clientX, y: event.clientY, moving: false, sent: 0,
            point: hit.point.clone().applyMatrix4(this.pose(hit.body).invert()),
        };
    }

    move(event) {
        const { held } = this;
        if (!held)
            return;
        if (!held.moving && Math.hypot(event.clientX - held.x, event.clientY - held.y) < STILL)
            return;
        held.moving = true;
        held.target = this.shell.picture.pointFacing(event, held.anchor);
        this.send();
        this.update();
    }

    send() {
        const { held } = this;
        const now = performance.now();
        if (!held.target || now - held.sent < PAUSE)
            return;
        held.sent = now;
        this.connection.send('drag', {
            body: held.body, point: held.point.toArray(), target: held.target.toArray(),
        });
    }

    // the line follows the body; a target that was not sent yet is sent now
    update() {
        const { held } = this;
        if (!held?.moving || !held.target)
            return;
        this.send();
        this.shell.picture.showSpring(new Vector3().copy(held.point).applyMatrix4(this.pose(held.body)), held.target);
    }

    release() {
        if (!this.held)
            return;
        if (this.held.moving)
            this.connection.send('release');
        this.held = null;
        this.shell.picture.showSpring(null);
        this.shell.picture.controls.enabled = true;
    }
}
