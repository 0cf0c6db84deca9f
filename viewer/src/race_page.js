// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The page of `cairn race --html`: one problem, or several to choose from.

import { h } from './ui/dom.js';
import { RaceView, describeRace } from './ui/race_view.js';

const dark = matchMedia('(prefers-color-scheme: dark)');

export function startRace(root, page) {
    const title = h('h1', {}, 'Race');
    const subtitle = h('p', { class: 'subtitle' });
    const main = h('main', { class: 'race-page' });
    const shown = { page, view: null };
    const show = (race) => {
        title.textContent = race.problem.split('/').at(-1);
        subtitle.textContent = describeRace(race);
        document.title = `${title.textContent} – race – Cairn`;
        shown.view = new RaceView(race);
        main.replaceChildren(shown.view.element);
    };
    const choice = page.problems.length < 2 ? null : h('select', {
        'aria-label': 'Problem', onchange: (event) => show(page.problems[Number(event.target.value)]),
    }, ...page.problems.map((race, i) => h('option', { value: String(i) }, race.problem)));
    document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
    root.classList.add('plain');
    root.replaceChildren(h('header', { class: 'head' }, h('div', { class: 'words' }, title, subtitle), choice), main);
    show(page.problems[0]);
    return shown;
}
