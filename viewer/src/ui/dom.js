// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Elements of the page. Text is always set as text, never as HTML: what a scene is called cannot become markup.

export function h(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(properties)) {
        if (value === undefined || value === null || value === false)
            continue;
        if (key.startsWith('on'))
            element.addEventListener(key.slice(2), value);
        else if (key in element && key !== 'list' && typeof value !== 'string')
            element[key] = value;
        else
            element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}

// outlines of the icons in a square of 24
const icons = {
    play: 'M8 5.5v13l10.5-6.5z',
    pause: 'M7.5 5.5h3v13h-3zM13.5 5.5h3v13h-3z',
    forward: 'M6 6v12l8-6zM15.5 6H18v12h-2.5z',
    back: 'M18 6v12l-8-6zM8.5 6H6v12h2.5z',
    first: 'M19 6v12l-7-6zM12 6v12l-7-6zM5 6H3.5v12H5z',
    fit: 'M4 9V4h5v2H6v3zM15 4h5v5h-2V6h-3zM20 15v5h-5v-2h3v-3zM9 20H4v-5h2v3h3z',
    help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 14.8a1.2 1.2 0 1 1 0-2.4 1.2 1.2 0 0 1 0 2.4zm1.9-6.4c-.8.6-1 .9-1 1.8'
        + 'v.4h-1.9v-.6c0-1.5.6-2.2 1.5-2.9.8-.6 1.1-.9 1.1-1.6 0-.8-.6-1.3-1.5-1.3-1 0-1.6.6-1.7 1.6H8.5'
        + 'c.1-2 1.5-3.3 3.6-3.3s3.5 1.1 3.5 2.9c0 1.3-.7 2.1-1.7 3z',
    moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
    close: 'M6.4 5L12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z',
    restart: 'M12 5a7 7 0 1 1-6.7 5h2.1A5 5 0 1 0 12 7v3L7 6l5-4z',
    loop: 'M7 7h9V4l5 4.5-5 4.5v-3H9v3H7zM17 17H8v3l-5-4.5L8 11v3h7v-3h2z',
    ball: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm-2.5 3.2a2 2 0 1 1-.8 3.9 2 2 0 0 1 .8-3.9z',
    record: 'M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12z',
    save: 'M11 3h2v9l3-3 1.4 1.4L12 15.8 6.6 10.4 8 9l3 3zM5 18h14v2H5z',
    link: 'M10.6 13.4a4 4 0 0 0 5.6 0l3-3a4 4 0 0 0-5.6-5.6l-1.4 1.4 1.4 1.4 1.4-1.4a2 2 0 0 1 2.8 2.8l-3 3a2 2 0 0 1-2.8 0z'
        + 'M13.4 10.6a4 4 0 0 0-5.6 0l-3 3a4 4 0 0 0 5.6 5.6l1.4-1.4-1.4-1.4-1.4 1.4a2 2 0 0 1-2.8-2.8l3-3a2 2 0 0 1 2.8 0z',
    camera: 'M9 5h6l1.4 2H20v12H4V7h3.6zM12 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0 2a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
    film: 'M4 6h11v12H4zM16.5 10.5L21 7.5v9l-4.5-3z',
    stop: 'M7 7h10v10H7z',
    race: 'M4 20V4h2v14h14v2zM8 14l3.5-4.5 3 2.5L19 6l1.6 1.2-5.7 7.6-3-2.5L9.6 15.3z',
};

export function icon(name) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', icons[name]);
    svg.append(path);
    return svg;
}

// a button that is an icon; `label` is read aloud and shown on hover
export function iconButton(name, label, action, properties = {}) {
    return h('button', { type: 'button', class: 'icon', title: label, 'aria-label': label, onclick: action, ...properties },
        icon(name));
}

export function setIcon(button, name, label) {
    button.replaceChildren(icon(name));
    button.title = label;
    button.setAttribute('aria-label', label);
}

// one choice out of a few, as a row of buttons
export function segments(label, choices, chosen, action) {
    const group = h('div', { class: 'segments', role: 'radiogroup', 'aria-label': label });
    const choose = (value) => {
        for (const button of group.children) {
            const on = button.dataset.value === value;
            button.setAttribute('aria-checked', String(on));
            button.tabIndex = on ? 0 : -1;
        }
    };
    choices.forEach(([value, text]) => group.append(h('button', {
        type: 'button', role: 'radio', 'data-value': value, onclick: () => { choose(value); action(value); },
    }, text)));
    // arrows move the choice, as in any group of radio buttons
    group.addEventListener('keydown', (event) => {
        const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (!way)
            return;
        event.preventDefault();
        event.stopPropagation();
        const buttons = [...group.children];
        const next = buttons[(buttons.indexOf(document.activeElement) + way + buttons.length) % buttons.length];
        next.focus();
        next.click();
    });
    choose(chosen);
    group.choose = choose;
    return group;
}

let names = 0;

export function labeled(text, control, unit) {
    control.id ||= `c${++names}`;
    return h('div', { class: 'field' }, h('label', { for: control.id }, text), control,
        unit ? h('span', { class: 'unit' }, unit) : null);
}

export function checkbox(text, checked, action) {
    const input = h('input', { type: 'checkbox', checked, onchange: () => action(input.checked) });
    const label = h('label', { class: 'check' }, input, h('span', {}, text));
    label.input = input;
    return label;
}
