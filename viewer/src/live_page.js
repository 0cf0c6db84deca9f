// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The live view: frames come over a socket, and everything that the page can do is a message back.

import { Vector3 } from 'three';
import { Connection, liveAddress } from './live/connection.js';
import { Drag } from './live/drag.js';
import { Drive } from './live/drive.js';
import { EngineView } from './live/engine_view.js';
import { History } from './live/history.js';
import { otherSpeed, speedSelect } from './replay_page.js';
import { h, iconButton, segments, setIcon } from './ui/dom.js';
import { seconds } from './ui/format.js';
import { RaceView, describeRace } from './ui/race_view.js';
import { Shell } from './ui/shell.js';

class Transport {
    constructor(connection, foot) {
        const send = (command, values) => () => connection.send(command, values);
        this.play = iconButton('play', 'Play (Space)', () => connection.send(this.playing ? 'pause' : 'play'),
            { class: 'icon primary' });
        this.back = iconButton('back', 'One step back (←)', send('back'));
        this.line = h('input', {
            type: 'range', class: 'line', min: '0', max: '0', step: '1', 'aria-label': 'Frame', hidden: true,
            oninput: () => connection.send('seek', { step: Number(this.line.value) }),
        });
        this.clock = h('output', { class: 'clock' });
        this.speed = speedSelect((value) => connection.send('speed', { value }));
        this.space = h('span', { class: 'space' });
        foot.append(
            h('div', { class: 'buttons' }, iconButton('restart', 'Restart (R)', send('restart')), this.back,
                this.play, iconButton('forward', 'One step forward (→)', send('step'))),
            this.line, this.space, this.clock, this.speed);
    }

    update(state) {
        this.playing = state.playing;
        setIcon(this.play, state.playing ? 'pause' : 'play', state.playing ? 'Pause (Space)' : 'Play (Space)');
        this.back.disabled = state.back <= 0;
        this.line.hidden = state.steps === 0;
        this.space.hidden = state.steps > 0;
        this.line.max = String(Math.max(state.steps - 1, 0));
        this.value = state.speed;
        if (![...this.speed.options].some((o) => Number(o.value) === state.speed))
            this.speed.append(h('option', { value: String(state.speed) }, `${state.speed}×`));
        this.speed.value = String(state.speed);
    }

    tell(frame) {
        this.clock.textContent = seconds(frame.time);
        if (!this.line.hidden && !this.line.matches(':active')) {
            this.line.value = String(frame.step);
            this.line.style.setProperty('--done', `${(100 * frame.step) / (Number(this.line.max) || 1)}%`);
        }
    }
}

// a dialog with the answer of a race, or the sentence that it is still going on
class RaceDialog {
    constructor() {
        this.heading = h('h2', {}, 'Race');
        this.about = h('p', { class: 'kind' });
        this.content = h('div', {});
        this.element = h('dialog', { class: 'race-dialog', 'aria-label': 'Race of the methods' },
            h('header', {}, this.heading, iconButton('close', 'Close', () => this.element.close())),
            this.about, this.content);
    }

    wait() {
        this.heading.textContent = 'Race';
        this.about.textContent = 'Solving this step with every method …';
        this.content.replaceChildren();
        if (!this.element.open)
            this.element.showModal();
    }

    show(race) {
        this.heading.textContent = `Step ${race.step} solved by every method`;
        this.about.textContent = race.rows > 0 ? describeRace(race)
            : 'There is nothing to solve in this step: nothing touches, or everything is asleep.';
        this.content.replaceChildren(...race.rows > 0 ? [new RaceView(race).element] : []);
        if (!this.element.open)
            this.element.showModal();
    }
}

// the sign that a computation takes long; the server tells now and then how long, the page counts on
class SolvingSign {
    constructor() {
        this.text = h('span', {});
        this.element = h('output', {
            class: 'solving', role: 'status', hidden: true,
            style: 'position: absolute; left: 50%; top: 12px; transform: translateX(-50%); z-index: 3; padding: 6px 12px; '
                + 'border-radius: 6px; background: var(--veil); color: var(--ink); pointer-events: none',
        }, this.text);
        this.began = 0;
    }

    update(state) {
        this.element.hidden = !(state.solving > 0);
        this.method = state.method;
        this.began = performance.now() - 1000 * state.solving;
        this.tick();
    }

    tick() {
        if (!this.element.hidden)
            this.text.textContent = `Solving by ${this.method} … ${
                ((performance.now() - this.began) / 1000).toFixed(1)} s; any change interrupts it`;
    }
}

// a ball from the camera towards what it looks at, as large as fits the scene
function shoot(shell, connection) {
    const { camera, controls, extent } = shell.picture;
    const direction = new Vector3().subVectors(controls.target, camera.position).normalize();
    const origin = camera.position.clone();
    // not from farther away than the scene is wide
    const way = origin.distanceTo(controls.target) - 1.6 * extent.radius;
    if (way > 0)
        origin.addScaledVector(direction, way);
    connection.send('shoot', {
        origin: origin.toArray(), direction: direction.toArray(),
        radius: Math.min(Math.max(0.5 * extent.size, 0.03 * extent.radius), 0.12 * extent.radius),
        speed: 6 * Math.sqrt(extent.radius),
    });
}

// `panels` are pairs of a title and an element, in their order; the plots come last
function tabs(shell, panels) {
    const all = new Map([...panels, ['Plots', shell.plots.element]].map(([title, element]) => [title.toLowerCase(),
        { title, element }]));
    const choose = (name) => {
        for (const [key, { element }] of all)
            element.hidden = key !== name;
        document.getElementById('app').dataset.tab = name;
        if (name === 'plots')
            shell.plots.setReports(shell.plots.reports);
    };
    const row = segments('Panel', [...all].map(([key, { title }]) => [key, title]), 'drive', choose);
    row.classList.add('tabs');
    shell.side.prepend(row, ...panels.map(([, element]) => element));
    choose('drive');
    return (name) => { row.choose(name); choose(name); };
}

function bindKeys(shell, connection, transport) {
    Object.assign(shell.keys, {
        ' ': () => connection.send(transport.playing ? 'pause' : 'play'),
        ArrowLeft: () => connection.send('back'),
        ArrowRight: () => connection.send('step'),
        r: () => connection.send('restart'),
        b: () => shoot(shell, connection),
        '[': () => connection.send('speed', { value: otherSpeed(transport.value, -1) }),
        ']': () => connection.send('speed', { value: otherSpeed(transport.value, 1) }),
    });
}

export class LivePage {
    // `panels` stand beside the drive; `files`: whether the session has a folder to write into
    constructor(root, connection, hello, { panels = [], files = true } = {}) {
        this.connection = connection;
        this.shell = new Shell(root, 'live');
        this.race = new RaceDialog();
        root.append(this.race.element);
        this.transport = new Transport(connection, this.shell.foot);
        this.solving = new SolvingSign();
        this.shell.canvas.parentElement.append(this.solving.element);
        this.history = new History(this.shell.plots);
        this.stage = null;
        this.state = null;
        const actions = {
            shoot: () => shoot(this.shell, connection),
            race: () => { this.race.wait(); connection.send('race'); },
        };
        if (hello.mode === 'live') {
            this.drive = new Drive(connection, hello, actions, { files });
            this.openTab = tabs(this.shell, [['Drive', this.drive.element], ...panels]);
            this.drag = new Drag(this.shell, connection);
            this.engine = new EngineView(this.shell, connection);
            this.shell.keys.d = () => this.engine.choose(!this.engine.on);
        }
        bindKeys(this.shell, connection, this.transport);
        this.listen(connection);
        this.shell.run(() => this.tick());
    }

    listen(connection) {
        connection.on('stage', (stage) => { this.next = stage; });
        connection.on('state', (state) => {
            this.state = state;
            this.transport.update(state);
            this.solving.update(state);
            this.drive?.update(state);
        });
        connection.on('race', (race) => this.race.show(race));
        connection.on('saved', ({ file }) => {
            this.shell.say(`Saved ${file}`);
            this.drive?.tellFile(`Saved ${file}`);
        });
        connection.on('error', ({ text }) => {
            this.shell.say(text, 'error');
            if (this.race.element.open)
                this.race.about.textContent = text;
        });
        connection.on('lost', (attempts) => this.shell.say(attempts < 5
            ? 'The connection to cairn view was lost; reconnecting …'
            : 'cairn view has stopped. Start it again and open the address that it prints.', 'lasting'));
        connection.on('found', () => this.shell.say('Reconnected.'));
    }

    tick() {
        this.solving.tick();
        const frame = this.connection.frame();
        if (!frame)
            return;
        if (this.next)
            this.takeStage(frame);
        if (!this.stage)
            return;
        this.shell.show(frame);
        this.transport.tell(frame);
        this.history.add(frame);
        this.drag?.update();
        this.engine?.ask();
    }

    // bodies came or went, or it is another scene
    takeStage(frame) {
        const stage = this.next;
        const same = this.stage !== null && stage.name === this.stage.name;
        this.next = null;
        this.stage = stage;
        this.shell.setStage(stage, frame, { keepCamera: same });
        this.shell.setTitle(stage.name, stage.title);
        if (!same)
            this.history.clear();
    }
}

// Waits for the session to say hello, then builds the page; `make` gives its options.
export async function startWith(root, connection, make = () => ({})) {
    let early = null;
    connection.on('stage', (stage) => { early = stage; });
    let state = null;
    connection.on('state', (message) => { state = message; });
    const hello = await new Promise((resolve, reject) => {
        connection.on('hello', resolve);
        connection.on('closed', (reason) => reject(new Error(reason ?? 'the simulation cannot be reached')));
    });
    const page = new LivePage(root, connection, hello, make(hello));
    // what came while the page was being built
    if (early)
        page.next = early;
    if (state)
        connection.emit('state', state);
    return page;
}

export const startLive = (root) => startWith(root, new Connection(liveAddress(location)));
