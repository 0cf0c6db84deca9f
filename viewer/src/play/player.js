// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The clock of a replay: where in the run one is, whether time goes on, and how fast.

export class Player extends EventTarget {
    constructor(replay) {
        super();
        this.replay = replay;
        this.time = replay.times[0];
        this.playing = false;
        this.speed = 1;
    }

    get start() {
        return this.replay.times[0];
    }

    get end() {
        return this.replay.times.at(-1);
    }

    get index() {
        return this.replay.indexAt(this.time);
    }

    // how far one is between this frame and the next
    get alpha() {
        const { times } = this.replay;
        const i = this.index;
        return i + 1 < times.length ? (this.time - times[i]) / (times[i + 1] - times[i]) : 0;
    }

    changed() {
        this.dispatchEvent(new Event('change'));
    }

    seek(time) {
        this.time = Math.min(Math.max(time, this.start), this.end);
        this.changed();
    }

    // to a frame, and there time stands still
    show(index) {
        this.playing = false;
        const last = this.replay.count - 1;
        this.seek(this.replay.times[Math.min(Math.max(index, 0), last)]);
    }

    step(count) {
        // from between two frames one goes to the next, or to the one before
        this.show(this.index + count + (count < 0 && this.alpha > 0 ? 1 : 0));
    }

    toggle(playing = !this.playing) {
        this.playing = playing;
        if (playing && this.time >= this.end)
            this.time = this.start;
        this.changed();
    }

    setSpeed(speed) {
        this.speed = speed;
        this.changed();
    }

    // `passed` seconds have gone by on the wall clock
    tick(passed) {
        if (!this.playing)
            return;
        this.time = Math.min(this.time + passed * this.speed, this.end);
        if (this.time >= this.end)
            this.playing = false;
        this.changed();
    }
}
