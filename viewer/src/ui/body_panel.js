// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The state of the body that was clicked: where it is, how it moves, and what touches it with which force.

import { ASLEEP, FROZEN, OPEN, PRESENT, SLIDE, SQUEEZED } from '../wire/frame.js';
import { h, iconButton } from './dom.js';
import { vector, withUnit } from './format.js';

const MOST = 8; // contacts that are listed

// the name that the scene gives, or one that says what it is
export function bodyName(stage, i) {
    const body = stage.bodies[i];
    if (body?.name)
        return body.name;
    const kind = Number.isInteger(body?.shape) ? stage.shapes[body.shape].kind : 'body';
    if (kind === 'half-space')
        return 'ground';
    return body?.type === 'static' ? `fixed ${kind} ${i}` : `${kind} ${i}`;
}

function state(stage, frame, i) {
    const body = stage.bodies[i];
    const words = [body.type === 'dynamic' ? withUnit(body.mass * 1000, 'g') : body.type];
    if (Number.isInteger(body.shape))
        words.unshift(stage.shapes[body.shape].kind);
    if (frame.flags[i] & ASLEEP)
        words.push('asleep');
    if (frame.flags[i] & FROZEN)
        words.push('frozen: it flew out of range');
    if (frame.flags[i] & SQUEEZED)
        words.push('squeezed: no motion satisfies its contacts');
    return words.join(', ');
}

// normal and friction force of a contact
function split(frame, c, dt) {
    const f = frame.contactImpulse.subarray(3 * c, 3 * c + 3);
    const n = frame.contactNormal.subarray(3 * c, 3 * c + 3);
    const along = f[0] * n[0] + f[1] * n[1] + f[2] * n[2];
    const across = Math.hypot(f[0] - along * n[0], f[1] - along * n[1], f[2] - along * n[2]);
    return { normal: along / dt, friction: across / dt };
}

function contactsOf(stage, frame, i, dt) {
    const rows = [];
    for (let c = 0; c < frame.contactCount; c++) {
        const a = frame.contactPair[2 * c], b = frame.contactPair[2 * c + 1];
        if ((a !== i && b !== i) || frame.contactState[c] === OPEN)
            continue;
        rows.push({ other: a === i ? b : a, sliding: frame.contactState[c] === SLIDE, ...split(frame, c, dt) });
    }
    return rows.sort((x, y) => y.normal - x.normal);
}

export class BodyPanel {
    constructor(close) {
        this.title = h('h2', {});
        this.kind = h('p', { class: 'kind' });
        this.facts = h('dl', {});
        this.table = h('table', { class: 'contacts', 'aria-label': 'Contacts' });
        this.element = h('section', { class: 'body card', hidden: true, 'aria-label': 'Selected body', 'aria-live': 'off' },
            h('header', {}, this.title, iconButton('close', 'Deselect (Escape)', close)),
            this.kind, this.facts, this.table);
    }

    update(stage, frame, i, dt) {
        const there = i !== null && stage.bodies[i] && i < frame.bodyCount;
        this.element.hidden = !there;
        if (!there)
            return;
        this.title.textContent = bodyName(stage, i);
        if (!(frame.flags[i] & PRESENT)) {
            this.kind.textContent = 'has not entered yet';
            this.facts.replaceChildren();
            this.table.replaceChildren();
            return;
        }
        this.kind.textContent = state(stage, frame, i);
        this.setFacts([
            ['position', vector(frame.position, i), 'm'],
            ['velocity', vector(frame.velocity, i), 'm/s'],
            ['spin', vector(frame.spin, i), 'rad/s'],
            ['orientation', vector(frame.quaternion, i, 4), ''],
        ]);
        this.setContacts(stage, contactsOf(stage, frame, i, dt));
    }

    setFacts(facts) {
        this.facts.replaceChildren(...facts.flatMap(([name, value, unit]) =>
            [h('dt', {}, name), h('dd', {}, value, ' ', h('span', { class: 'unit' }, unit))]));
    }

    setContacts(stage, contacts) {
        this.table.replaceChildren();
        if (contacts.length === 0)
            return;
        const head = h('tr', {}, h('th', { scope: 'col' }, 'touches'), h('th', { scope: 'col' }, 'normal'),
            h('th', { scope: 'col' }, 'friction'), h('th', { scope: 'col' }, 'state'));
        const rows = contacts.slice(0, MOST).map((c) => h('tr', {},
            h('td', {}, bodyName(stage, c.other)), h('td', {}, withUnit(c.normal, 'N')),
            h('td', {}, withUnit(c.friction, 'N')),
            h('td', { class: c.sliding ? 'slide' : 'stick' }, c.sliding ? 'slides' : 'sticks')));
        if (contacts.length > MOST)
            rows.push(h('tr', {}, h('td', { colspan: '4' }, `and ${contacts.length - MOST} more`)));
        this.table.append(h('thead', {}, head), h('tbody', {}, ...rows));
    }
}
