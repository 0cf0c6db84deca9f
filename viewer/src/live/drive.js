// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The panel that drives a live simulation: which scene, which method, how exact, how rough, how heavy; and what to do
// with the step that is shown.

import { checkbox, h, icon, labeled } from '../ui/dom.js';

function choice(options, action) {
    const select = h('select', { onchange: () => action(select.value) },
        ...options.map(([value, text]) => h('option', { value }, text)));
    return select;
}

function button(name, text, action) {
    return h('button', { type: 'button', class: 'wide', onclick: action }, icon(name), h('span', {}, text));
}

// a number that is sent when it is complete and within bounds; the step is that of the arrows alone
function numberField(properties, action) {
    const input = h('input', {
        type: 'number', ...properties,
        onchange: () => {
            const { badInput, rangeOverflow, rangeUnderflow } = input.validity;
            if (input.value !== '' && !badInput && !rangeOverflow && !rangeUnderflow)
                action(Number(input.value));
            else
                input.reportValidity();
        },
    });
    return input;
}

export class Drive {
    // `files`: whether the session has a folder to write into
    constructor(connection, hello, actions, { files = true } = {}) {
        const set = (values) => connection.send('set', values);
        this.scene = choice(hello.scenes.map(({ name, title }) => [name, title ? `${name} – ${title}` : name]),
            (name) => connection.send('scene', { name }));
        this.method = choice(hello.methods.map((name) => [name, name]), (method) => set({ method }));
        this.tolerance = choice(['1e-2', '1e-3', '1e-4', '1e-5', '1e-6', '1e-8', '1e-10', '1e-12']
            .map((text) => [String(Number(text)), text.replace('-', '−')]), (text) => set({ tolerance: Number(text) }));
        this.iterations = numberField({ min: '0', max: '1000000', step: '1' }, (iterations) => set({ iterations }));
        this.substeps = numberField({ min: '1', max: '1000', step: '1' }, (substeps) => set({ substeps }));
        this.own = checkbox('as in the scene', true, (on) => {
            this.mu.disabled = on;
            set({ mu: on ? null : Number(this.mu.value) });
        });
        this.mu = numberField({ min: '0', max: '10', step: '0.05', value: '0.5', disabled: true }, (mu) => set({ mu }));
        this.gravity = ['x', 'y', 'z'].map((axis, k) => numberField(
            { step: '0.1', min: '-1000', max: '1000', 'aria-label': `Gravity along ${axis}` },
            () => set({ gravity: this.gravity.map((input) => Number(input.value)) })));
        this.record = button('record', 'Record', () => connection.send('record', { on: !this.recording }));
        this.element = h('section', { class: 'drive', 'aria-label': 'Drive' },
            hello.scenes.length > 0 ? labeled('Scene', this.scene) : null,
            labeled('Method', this.method), labeled('Tolerance', this.tolerance),
            labeled('Iterations', this.iterations, '0: no limit'),
            labeled('Friction', this.mu, this.own), this.gravityField(),
            labeled('Substeps', this.substeps, 'per step'),
            h('div', { class: 'actions' }, button('ball', 'Shoot a ball', actions.shoot),
                button('race', 'Race methods', actions.race),
                ...files ? [button('save', 'Save problem', () => connection.send('save-problem')), this.record] : []),
            this.file = h('p', { class: 'kind', 'data-file': '', style: 'overflow-wrap: anywhere' }));
    }

    // where a file is stays to be read
    tellFile(text) {
        this.file.textContent = text;
    }

    gravityField() {
        return h('div', { class: 'field gravity', role: 'group', 'aria-label': 'Gravity in m/s²' },
            h('span', { class: 'label' }, 'Gravity'), h('div', { class: 'three' }, ...this.gravity),
            h('span', { class: 'unit' }, 'm/s²'));
    }

    // what the server says is what is shown; a field that has the focus is left alone
    update(state) {
        const put = (input, value) => {
            if (document.activeElement !== input || input.tagName === 'SELECT')
                input.value = String(value);
        };
        put(this.scene, state.scene);
        put(this.method, state.method);
        if (![...this.tolerance.options].some((o) => Number(o.value) === state.tolerance))
            this.tolerance.append(h('option', { value: String(state.tolerance) }, String(state.tolerance)));
        put(this.tolerance, state.tolerance);
        put(this.iterations, state.iterations);
        put(this.substeps, state.substeps);
        this.own.input.checked = state.mu === null;
        this.mu.disabled = state.mu === null;
        if (state.mu !== null)
            put(this.mu, state.mu);
        this.gravity.forEach((input, k) => put(input, Number(state.gravity[k].toFixed(4))));
        if (state.recording && !this.recording)
            this.tellFile(`Recording to ${state.recording}`);
        this.recording = Boolean(state.recording);
        this.record.setAttribute('aria-pressed', String(this.recording));
        this.record.lastChild.textContent = this.recording ? 'Stop recording' : 'Record';
        this.record.title = state.recording ?? '';
    }
}
