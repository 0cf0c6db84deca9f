// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The replay of a run that is complete: a time line and a clock.

import { Player } from './play/player.js';
import { Replay } from './play/replay.js';
import { h, iconButton, setIcon } from './ui/dom.js';
import { seconds } from './ui/format.js';
import { Shell } from './ui/shell.js';

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

export function speedSelect(action) {
    return h('select', { class: 'speed', 'aria-label': 'Speed', title: 'Speed ([ and ])', onchange: (e) => action(Number(e.target.value)) },
        ...SPEEDS.map((s) => h('option', { value: String(s), selected: s === 1 }, `${s}×`)));
}

// the next slower or faster one
export function otherSpeed(speed, way) {
    const at = SPEEDS.findIndex((s) => s >= speed);
    return SPEEDS[Math.min(Math.max(at + way, 0), SPEEDS.length - 1)];
}

class Transport {
    constructor(player, foot) {
        this.player = player;
        this.play = iconButton('play', 'Play (Space)', () => player.toggle(), { class: 'icon primary' });
        this.line = h('input', {
            type: 'range', class: 'line', min: String(player.start), max: String(player.end), step: 'any',
            'aria-label': 'Time', oninput: () => { player.playing = false; player.seek(Number(this.line.value)); },
        });
        this.clock = h('output', { class: 'clock' });
        this.speed = speedSelect((s) => player.setSpeed(s));
        this.loop = iconButton('loop', 'Loop (L)', () => player.setLoop(!player.loop), { class: 'icon toggle' });
        foot.append(
            h('div', { class: 'buttons' },
                iconButton('first', 'Go to start (Home)', () => player.show(0)),
                iconButton('back', 'One step back (←)', () => player.step(-1)),
                this.play,
                iconButton('forward', 'One step forward (→)', () => player.step(1)),
                this.loop),
            this.line, this.clock, this.speed);
    }

    update() {
        const { player } = this;
        setIcon(this.play, player.playing ? 'pause' : 'play', player.playing ? 'Pause (Space)' : 'Play (Space)');
        this.line.value = String(player.time);
        this.line.setAttribute('aria-valuetext', seconds(player.time));
        this.line.style.setProperty('--done', `${(100 * (player.time - player.start)) / (player.end - player.start || 1)}%`);
        this.clock.textContent = `${player.time.toFixed(2)} / ${seconds(player.end)}`;
        this.speed.value = String(player.speed);
        this.loop.setAttribute('aria-pressed', String(player.loop));
    }
}

function bindKeys(shell, player) {
    Object.assign(shell.keys, {
        ' ': () => player.toggle(),
        ArrowLeft: (e) => player.step(e.shiftKey ? -10 : -1),
        ArrowRight: (e) => player.step(e.shiftKey ? 10 : 1),
        Home: () => player.show(0),
        End: () => player.show(player.replay.count - 1),
        '[': () => player.setSpeed(otherSpeed(player.speed, -1)),
        ']': () => player.setSpeed(otherSpeed(player.speed, 1)),
        l: () => player.setLoop(!player.loop),
    });
}

export function startReplay(root, blocks) {
    const replay = new Replay(blocks);
    const shell = new Shell(root, 'replay');
    const player = new Player(replay);
    const transport = new Transport(player, shell.foot);
    let stage = null;
    const update = () => {
        const i = player.index;
        const { alpha } = player;
        if (replay.stage(i) !== stage) {
            shell.setStage(replay.stage(i), replay.frame(i), { keepCamera: stage !== null, view: replay.about.view });
            stage = replay.stage(i);
        }
        // the next frame helps only when it shows the same bodies
        const next = alpha > 0 && i + 1 < replay.count && replay.stage(i + 1) === stage ? replay.frame(i + 1) : null;
        shell.show(replay.frame(i), next, alpha);
        shell.plots.setTime(player.time);
        transport.update();
    };
    shell.contactsEvery = replay.about.contacts ?? 1;
    shell.setTitle(replay.stages[0].name, replay.stages[0].title);
    shell.plots.setReports(replay.reports);
    shell.seek = (time) => { player.playing = false; player.seek(time); };
    bindKeys(shell, player);
    player.addEventListener('change', update);
    update();
    if (replay.about.every > 1)
        shell.say(`Long run: one frame in ${replay.about.every} is shown; the plots show the worst of the steps in between.`);
    shell.run((passed) => player.tick(passed));
    // who asked the system for less motion starts the run by hand
    player.toggle(!matchMedia('(prefers-reduced-motion: reduce)').matches);
    return { shell, player, replay };
}
