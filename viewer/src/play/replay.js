// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A run that is complete: frames by number, decoded when they are asked for. A frame that stands on others is reached
// from the last one before it that stands by itself; the last few are kept.

import { isJson, readJson } from '../wire/container.js';
import { readFrame, readHeader } from '../wire/frame.js';

const KEPT = 40;

export class Replay {
    constructor(blocks) {
        this.about = {};
        this.stages = [];
        this.blocks = [];
        this.stageOf = []; // the number of the stage of each frame
        for (const block of blocks) {
            if (!isJson(block)) {
                this.blocks.push(block);
                this.stageOf.push(this.stages.length - 1);
                continue;
            }
            const json = readJson(block);
            if (json.type === 'stage')
                this.stages.push(json);
            else
                this.about = json;
        }
        if (this.blocks.length === 0 || this.stages.length === 0)
            throw new Error('there is no frame in this page');
        this.reports = this.blocks.map(readHeader);
        this.times = this.reports.map((report) => report.time);
        this.kept = new Map();
    }

    get count() {
        return this.blocks.length;
    }

    get duration() {
        return this.times.at(-1) - this.times[0];
    }

    stage(i) {
        return this.stages[this.stageOf[i]];
    }

    frame(i) {
        let first = i;
        while (!this.kept.has(first) && !this.reports[first].key)
            first--;
        for (let k = first; k <= i; k++) {
            const known = this.kept.get(k);
            this.keep(k, known ?? readFrame(this.blocks[k], this.kept.get(k - 1)));
        }
        return this.kept.get(i);
    }

    // a frame that was just used is the last to go
    keep(k, frame) {
        this.kept.delete(k);
        this.kept.set(k, frame);
        if (this.kept.size > KEPT)
            this.kept.delete(this.kept.keys().next().value);
    }
}
