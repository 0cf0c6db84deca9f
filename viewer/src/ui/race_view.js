// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A race: every method on one problem, as a table and as a plot of the residual against time. The row under the
// pointer is the line that stands out.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { h } from './dom.js';
import { css } from './plots.js';
import { short, withUnit } from './format.js';

const colors = ['#0f6b76', '#d2660a', '#6b5f86', '#4d7f3f', '#a3271f', '#2f5fa8', '#8a6d1f', '#a04a7d', '#5b6770',
    '#1f9a8a', '#b5835a', '#7a4fc0'];

const order = { converged: 0, 'iteration-limit': 1, 'time-limit': 1, 'not-supported': 3 };

// those within tolerance first, then the faster ones
function ranked(methods) {
    const rank = (m) => order[m.status] ?? 2;
    return [...methods].sort((a, b) => rank(a) - rank(b) || (a.seconds ?? 0) - (b.seconds ?? 0));
}

const number = (x, unit) => (x === null || x === undefined ? '–' : unit ? withUnit(x, unit) : short(x));

function row(method, color) {
    return h('tr', { 'data-method': method.method, title: method.note },
        h('th', { scope: 'row' }, h('i', { class: 'dot', style: `background:${color}` }), method.method),
        h('td', { class: method.status === 'converged' ? 'good' : 'bad' }, method.status.replace('-', ' ')),
        h('td', {}, number(method.seconds, 's')),
        h('td', {}, number(method.residual)),
        h('td', {}, number(method.residual_coulomb)),
        h('td', {}, method.iterations === null ? '–' : String(method.iterations)));
}

function makeTable(methods, colorOf) {
    const heads = ['method', 'status', 'time', 'residual', 'true cone', 'iterations'];
    return h('table', { class: 'race' },
        h('thead', {}, h('tr', {}, ...heads.map((text) => h('th', { scope: 'col' }, text)))),
        h('tbody', {}, ...methods.map((m) => row(m, colorOf(m)))));
}

// ---------------------------------------------------------------- the plot

const LEAST = 1e-17; // what a logarithmic axis shows of zero

// points that a plot of logarithms can show
const visible = (trace) => trace.filter(([t, r]) => t > 0 && r >= 0 && Number.isFinite(t) && Number.isFinite(r))
    .map(([t, r]) => [t, Math.max(r, LEAST)]);

// powers of ten, so many that they do not crowd
function powers(u, axis, lo, hi, _, space) {
    const first = Math.ceil(Math.log10(lo) - 1e-9), last = Math.floor(Math.log10(hi) + 1e-9);
    const room = (axis === 0 ? u.over.clientWidth : u.over.clientHeight) || 300;
    const step = Math.max(1, Math.ceil(((last - first) * (axis === 0 ? 64 : 30)) / room));
    const list = [];
    for (let e = first; e <= last; e += step)
        list.push(10 ** e);
    return list;
}

const power = (v) => `1e${Math.round(Math.log10(v))}`.replace('-', '−');

function logRange(_, lo, hi) {
    if (!(lo > 0) || !(hi > 0))
        return [1e-3, 1];
    return [10 ** (Math.log10(lo) - 0.3), 10 ** (Math.log10(hi) + 0.3)];
}

function axis(values, label, size) {
    return {
        stroke: () => css('--quiet'), grid: { stroke: () => css('--line'), width: 1 }, ticks: { show: false },
        font: '11px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif', label, labelSize: 18, size, gap: 4,
        splits: powers, filter: (_, list) => list, values: (_, list) => list.map(values),
    };
}

// the tolerance as a dashed line
function markTolerance(tolerance) {
    return (u) => {
        const y = u.valToPos(tolerance, 'y', true);
        const { left, top, width, height } = u.bbox;
        if (!(y > top && y < top + height))
            return;
        u.ctx.save();
        u.ctx.strokeStyle = css('--quiet');
        u.ctx.fillStyle = css('--quiet');
        u.ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
        u.ctx.beginPath();
        u.ctx.moveTo(left, y);
        u.ctx.lineTo(left + width, y);
        u.ctx.stroke();
        u.ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
        u.ctx.textAlign = 'right';
        u.ctx.fillText('tolerance', left + width - 4 * devicePixelRatio, y - 4 * devicePixelRatio);
        u.ctx.restore();
    };
}

function options(methods, race, size, colorOf) {
    return {
        ...size, legend: { show: false }, padding: [10, 16, 0, 0], focus: { alpha: 0.25 },
        cursor: { drag: { x: false, y: false }, focus: { prox: 24 }, points: { size: 6 } },
        scales: { x: { time: false, distr: 3, range: logRange }, y: { distr: 3, range: logRange } },
        axes: [axis((v) => withUnit(v, 's').replace('.00', '').replace('.0', ''), 'time', 24), axis(power, 'residual', 48)],
        series: [{}, ...methods.map((m) => ({
            label: m.method, stroke: colorOf(m), width: 1.75, spanGaps: true,
            // the certified end is a dot
            points: { show: true, size: 7, fill: colorOf(m), filter: (u, k) => {
                const last = u.data[k].findLastIndex((y) => y !== null && y !== undefined);
                return last >= 0 ? [last] : null;
            } },
        }))],
        hooks: { draw: [markTolerance(race.tolerance)] },
    };
}

export class RaceView {
    constructor(race) {
        const methods = ranked(race.methods);
        const colorOf = (m) => colors[race.methods.indexOf(m) % colors.length];
        this.drawn = methods.filter((m) => m.trace && visible(m.trace).length > 0);
        this.plot = h('div', { class: 'race-plot', role: 'img', 'aria-label': 'Residual against time for each method' });
        const table = makeTable(methods, colorOf);
        this.plot.hidden = this.drawn.length === 0;
        this.element = h('div', { class: 'race-view' }, this.plot, h('div', { class: 'scroll' }, table));
        this.make = () => {
            const data = uPlot.join(this.drawn.map(({ trace }) => {
                const points = visible(trace);
                return [points.map(([t]) => t), points.map(([, r]) => r)];
            }));
            const size = { width: this.plot.clientWidth || 600, height: this.plot.clientHeight || 300 };
            this.chart = new uPlot(options(this.drawn, race, size, colorOf), data, this.plot);
        };
        table.addEventListener('pointerover', (event) => this.focus(event.target.closest('tr')?.dataset.method));
        table.addEventListener('pointerleave', () => this.focus(null));
        new ResizeObserver(() => this.resize()).observe(this.plot);
    }

    focus(name) {
        const k = this.drawn.findIndex((m) => m.method === name);
        this.chart?.setSeries(k >= 0 ? k + 1 : null, { focus: k >= 0 });
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.plot;
        if (width === 0 || height === 0 || this.drawn.length === 0)
            return;
        if (this.chart)
            this.chart.setSize({ width, height });
        else
            this.make();
    }
}

export function describeRace(race) {
    return `${race.contacts} contacts, ${race.bodies} bodies, ${race.rows} rows, tolerance ${short(race.tolerance)}`;
}
