// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The reports of the frames that were seen, for the plots: the last minute or so. Going back in time forgets what was
// to come.

const MOST = 3000;
const LEAP = 1.5; // s: a line does not go on over what was not seen for longer
const PAUSE = 100; // ms between two drawings of the plots

export class History {
    constructor(plots) {
        this.plots = plots;
        this.reports = [];
        this.drawn = 0;
    }

    clear() {
        this.reports = [];
    }

    add(frame) {
        while (this.reports.length > 0 && this.reports.at(-1).step >= frame.step)
            this.reports.pop();
        const { step, time, residual, kinetic, potential, penetration, motion, ms, stages } = frame;
        const last = this.reports.at(-1);
        if (last && time - last.time > LEAP)
            this.reports.push({ ...last, time: 0.5 * (last.time + time), hole: true });
        this.reports.push({ step, time, residual, kinetic, potential, penetration, motion, ms, stages });
        if (this.reports.length > MOST)
            this.reports.splice(0, MOST / 5);
        const now = performance.now();
        if (now - this.drawn < PAUSE)
            return;
        this.drawn = now;
        this.plots.time = frame.time;
        this.plots.setReports(this.reports);
    }
}
