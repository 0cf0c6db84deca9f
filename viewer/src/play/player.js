// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The clock of a replay: where in the run one is, whether time goes on, and how fast. At the end it waits a moment and
// starts again.

import { indexAt, nearestTo } from './times.js';

const WAIT = 1; // s for which the end is shown before the run starts again

export class Player extends EventTarget {
    constructor(replay) {
        super();
        this.replay = replay;
        this.time = replay.times[0];
        this.playing = false;
        this.loop = true;
        this.waited = 0;
        this.speed = 1;
    }

    get start() {
        return this.replay.times[0];
    }

    get end() {
        return this.replay.times.at(-1);
    }

    get index() {
        return indexAt(this.replay.times, this.time);
    }

    // how far one is between this frame and the next
    get alpha() {
        const { times } = this.replay;
        const i = this.index;
        return i + 1 < times.length ? Math.max((this.time - times[i]) / (times[i + 1] - times[i]), 0) : 0;
    }

    changed() {
        this.dispatchEvent(new Event('change'));
    }

    // to a frame
    go(index) {
        const last = this.replay.count - 1;
        this.time = this.replay.times[Math.min(Math.max(index, 0), last)];
        this.waited = 0;
        this.changed();
    }

    // to the frame that is nearest to a time: what is shown is always a frame, never a place between two
    seek(time) {
        this.go(nearestTo(this.replay.times, time));
    }

    // to a frame, and there time stands still
    show(index) {
        this.playing = false;
        this.go(index);
    }

    step(count) {
        // from between two frames one goes to the next, or to the one before
        this.show(this.index + count + (count < 0 && this.alpha > 0 ? 1 : 0));
    }

    // a run that has stopped stands at a frame
    toggle(playing = !this.playing) {
        this.playing = playing;
        if (!playing)
            this.seek(this.time);
        else if (this.time >= this.end)
            this.go(0);
        else
            this.changed();
    }

    setSpeed(speed) {
        this.speed = speed;
        this.changed();
    }

    setLoop(loop) {
        this.loop = loop;
        this.changed();
    }

    // `passed` seconds have gone by on the wall clock
    tick(passed) {
        if (!this.playing)
            return;
        if (this.time < this.end) {
            this.time = Math.min(this.time + passed * this.speed, this.end);
            this.changed();
            return;
        }
        this.waited += passed;
        if (!this.loop)
            this.toggle(false);
        else if (this.waited >= WAIT)
            this.go(0);
    }
}
