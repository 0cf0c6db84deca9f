// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Asks for what the engine draws of itself while it is to be seen: once for every frame that is shown, and never for
// more than one drawing at a time.

import { checkbox } from '../ui/dom.js';

const WHAT = ['joints', 'contacts', 'centers', 'slots'];
const PATIENCE = 2000; // ms after which an answer is not waited for any more

export class EngineView {
    constructor(shell, connection) {
        this.shell = shell;
        this.connection = connection;
        this.on = false;
        this.asked = 0; // ms, or 0: nothing is asked for
        this.box = checkbox('Engine\'s view', false, (on) => this.choose(on));
        shell.forcesBox.parentElement.append(this.box);
        connection.on('drawing', (drawing) => this.take(drawing));
    }

    choose(on) {
        this.on = on;
        this.box.input.checked = on;
        this.asked = 0;
        if (on)
            this.ask();
        else
            this.shell.picture.hideDrawing();
    }

    // forces are as long as arrows are
    ask() {
        const now = performance.now();
        if (!this.on || (this.asked > 0 && now - this.asked < PATIENCE))
            return;
        const { arrows } = this.shell.picture;
        this.asked = now;
        this.connection.send('draw', {
            what: WHAT, ...arrows?.perMeter > 0 ? { force_scale: Math.min(1 / arrows.perMeter, 1e6) } : {},
        });
    }

    take(drawing) {
        this.asked = 0;
        if (this.on)
            this.shell.picture.showDrawing(drawing);
    }
}
