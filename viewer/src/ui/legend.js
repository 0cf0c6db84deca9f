// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What colors and arrows mean, in the corner of the picture.

import { arrowColors, rampStops, stateColors } from '../scene/theme.js';
import { h } from './dom.js';
import { niceStep, short, withUnit } from './format.js';

const swatch = (color, text) => h('span', { class: 'swatch' },
    h('i', { style: `background:#${color.getHexString()}` }), text);

// a length that is easy to say, with the force that it stands for
function arrowScale(arrows) {
    const length = niceStep(arrows.size / 2);
    return `arrow of ${withUnit(length, 'm')} = ${withUnit(length * arrows.perMeter, 'N')}`;
}

export class Legend {
    constructor() {
        this.element = h('div', { class: 'legend', 'aria-label': 'Legend' });
        this.key = '';
    }

    update(shell) {
        const { arrows } = shell.picture;
        const key = [shell.coloring, shell.forces, shell.extras.cones, shell.extras.chains, shell.speedScale, arrows.perMeter, shell.shown.a.islands].join();
        if (key === this.key)
            return;
        this.key = key;
        const parts = [];
        const strong = shell.forces || shell.extras.cones || shell.extras.chains;
        const colors = strong ? arrowColors : stateColors;
        if (shell.coloring === 'contact' || strong)
            parts.push(swatch(colors.stick, 'sticking'), swatch(colors.slide, 'sliding'));
        if (shell.coloring === 'speed')
            parts.push(h('span', { class: 'ramp' }, '0', h('i', {
                style: `background:linear-gradient(90deg,${rampStops.join(',')})`,
            }), `${short(shell.speedScale)} m/s`));
        if (shell.coloring === 'island')
            parts.push(h('span', {}, `${shell.shown.a.islands} ${shell.shown.a.islands === 1 ? 'island' : 'islands'}`));
        if (shell.forces && arrows.perMeter > 0)
            parts.push(h('span', {}, arrowScale(arrows)));
        if (shell.forces && shell.contactsEvery > 1)
            parts.push(h('span', {}, `forces every ${shell.contactsEvery} steps`));
        this.element.replaceChildren(...parts);
    }
}
