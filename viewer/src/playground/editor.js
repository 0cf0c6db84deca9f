// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The text of a scene: line numbers, the line that is wrong and why, and what may be typed next. Every change that is
// a scene runs at once.

import { h } from '../ui/dom.js';
import { suggestions } from './completion.js';

const PATIENCE = 600; // ms after the last key

export class Editor {
    // `run(text)` is called with every text that has settled
    constructor(schema, run) {
        this.schema = schema;
        this.run = run;
        this.gutter = h('pre', { class: 'gutter', 'aria-hidden': 'true' });
        this.area = h('textarea', {
            spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', wrap: 'off', 'aria-label': 'The scene as JSON',
            oninput: () => this.changed(), onscroll: () => { this.gutter.scrollTop = this.area.scrollTop; },
            onkeydown: (event) => this.key(event), onclick: () => this.close(), onblur: () => setTimeout(() => this.close(), 150),
        });
        this.list = h('ul', { class: 'suggestions', role: 'listbox', 'aria-label': 'Suggestions', hidden: true });
        this.message = h('p', { class: 'wrong', role: 'alert', hidden: true, onclick: () => this.goToError() });
        this.element = h('div', { class: 'editor' },
            h('div', { class: 'paper' }, this.gutter, this.area, this.list), this.message);
        this.error = null;
    }

    get text() {
        return this.area.value;
    }

    set text(text) {
        this.area.value = text;
        this.area.scrollTop = 0;
        this.clear();
    }

    changed() {
        this.clear();
        this.offer();
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.run(this.text), PATIENCE);
    }

    now() {
        clearTimeout(this.timer);
        this.run(this.text);
    }

    // ---------------------------------------------------------------- what is wrong

    clear() {
        this.error = null;
        this.message.hidden = true;
        this.number();
    }

    number() {
        const count = this.text.split('\n').length;
        const lines = Array.from({ length: count }, (_, i) => {
            const wrong = this.error?.line === i + 1;
            return h('span', wrong ? { class: 'wrong-line' } : {}, `${i + 1}\n`);
        });
        this.gutter.replaceChildren(...lines);
    }

    // a sentence of the engine: NAME:LINE:COLUMN: what is wrong
    complain(text) {
        const place = /^[^:]*:(\d+):(\d+): (.*)$/s.exec(text);
        this.error = place ? { line: Number(place[1]), column: Number(place[2]) } : null;
        this.message.textContent = place ? `Line ${place[1]}: ${place[3]}` : text;
        this.message.hidden = false;
        this.number();
    }

    goToError() {
        if (!this.error)
            return;
        const lines = this.text.split('\n');
        const start = lines.slice(0, this.error.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
        this.area.focus();
        this.area.setSelectionRange(start + this.error.column - 1, start + (lines[this.error.line - 1]?.length ?? 0));
    }

    // ---------------------------------------------------------------- what may be typed

    offer() {
        const { typed, key, list } = suggestions(this.schema, this.text, this.area.selectionStart);
        this.offered = { typed, key, list, chosen: 0 };
        this.list.hidden = list.length === 0;
        this.list.replaceChildren(...list.map(({ text, about }, i) => h('li', {
            role: 'option', 'aria-selected': String(i === 0), onmousedown: (event) => { event.preventDefault(); this.take(i); },
        }, h('b', {}, text), about ? h('span', {}, about) : null)));
        if (list.length > 0)
            this.placeList();
    }

    // under the line of the cursor
    placeList() {
        const before = this.text.slice(0, this.area.selectionStart).split('\n');
        const height = parseFloat(getComputedStyle(this.area).lineHeight);
        const y = (before.length + 0.4) * height - this.area.scrollTop;
        this.list.style.top = `${Math.min(y, Math.max(this.area.clientHeight - 120, 0))}px`;
    }

    close() {
        this.list.hidden = true;
    }

    take(i) {
        const { typed, key, list } = this.offered;
        const { area } = this;
        const at = area.selectionStart;
        const rest = this.text.slice(at);
        const closed = rest.startsWith('"');
        const word = `${list[i].text.slice(typed.length)}${closed ? '' : '"'}${key && !closed ? ': ' : ''}`;
        area.setRangeText(word, at, at, 'end');
        this.close();
        this.changed();
        this.close();
        area.focus();
    }

    key(event) {
        if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
            event.preventDefault();
            this.now();
            return;
        }
        if (!this.list.hidden && this.choose(event))
            event.preventDefault();
        else if (event.key === 'Tab' && !event.shiftKey) {
            event.preventDefault();
            this.area.setRangeText('  ', this.area.selectionStart, this.area.selectionEnd, 'end');
            this.changed();
        }
    }

    // whether the key was for the list
    choose({ key }) {
        const { list, chosen } = this.offered;
        if (key === 'Escape')
            this.close();
        else if (key === 'Enter' || key === 'Tab')
            this.take(chosen);
        else if (key === 'ArrowDown' || key === 'ArrowUp') {
            this.offered.chosen = (chosen + (key === 'ArrowDown' ? 1 : -1) + list.length) % list.length;
            [...this.list.children].forEach((item, i) => item.setAttribute('aria-selected', String(i === this.offered.chosen)));
        } else
            return false;
        return true;
    }
}
