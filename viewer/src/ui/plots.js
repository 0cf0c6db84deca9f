// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Five small plots over time: residual, energy, energy defect, penetration, computing time. A line marks the time that is shown, the
// heading tells the values there or under the pointer, and a click goes to a time.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { indexAt } from '../play/times.js';
import { h } from './dom.js';
import { short, ticksWithUnit, withUnit } from './format.js';
import { meaning } from './words.js';

const plots = [
    {
        name: 'Residual', hint: meaning('residual'), log: true,
        series: [{ of: (r) => r.residual, color: '--plot-a' }],
        value: (r) => (r.residual > 0 ? `${short(r.residual)} (relative)` : '0'),
    },
    {
        name: 'Energy', hint: meaning('energy'), unit: 'J',
        series: [
            { of: (r) => r.kinetic + r.potential, color: '--plot-b' },
            { of: (r) => r.kinetic, color: '--plot-b-light' },
        ],
        value: (r) => `total ${withUnit(r.kinetic + r.potential, 'J')} · kinetic ${withUnit(r.kinetic, 'J')}`,
    },
    {
        name: 'Energy defect', hint: meaning('energy defect'), unit: 'J', least: 1e-9, // J: less is round-off
        series: [{ of: (r) => r.motion.energyDefect, color: '--plot-e' }],
        value: (r) => `${withUnit(r.motion.energyDefect, 'J')} in this step`,
    },
    {
        name: 'Penetration', hint: meaning('penetration'), unit: 'm', least: 1e-8, // m: less is round-off
        series: [
            { of: (r) => Math.max(r.penetration, r.motion.penetration), color: '--plot-c' },
            { of: (r) => r.motion.jointError, color: '--plot-c-light' },
        ],
        value: (r) => `${withUnit(Math.max(r.penetration, r.motion.penetration), 'm')} · joints ${withUnit(r.motion.jointError, 'm')}`,
    },
    {
        name: 'Computing time', hint: meaning('computing time'), unit: 's', axis: true,
        series: [
            { of: (r) => 1e-3 * r.ms, color: '--plot-d' },
            { of: (r) => 1e-3 * r.stages[3], color: '--plot-d-light' },
        ],
        value: (r) => `${withUnit(1e-3 * r.ms, 's')} · solve ${withUnit(1e-3 * r.stages[3], 's')}`,
    },
];

const NEAREST = 0.22; // of the height of a plot: the distance of two numbers beside it

export const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function axes(item) {
    const { plot } = item;
    const look = () => css('--quiet');
    const grid = { stroke: () => css('--line'), width: 1 };
    const font = '10px system-ui, sans-serif';
    return [
        { show: Boolean(plot.axis), stroke: look, grid, font, size: 22, gap: 3, ticks: { show: false },
            values: (_, ticks) => ticks.map((t) => `${t} s`) },
        { stroke: look, grid, font, size: 52, gap: 4, ticks: { show: false }, space: 22,
            splits: plot.log ? (u) => splits(item, u.scales.y) : undefined,
            filter: plot.log ? (_, ticks) => ticks : undefined,
            values: (_, ticks) => (plot.log ? ticks.map((v) => power(v, item.zero)) : ticksWithUnit(ticks, plot.unit)) },
    ];
}

// three powers of ten or so
function powers(lo, hi) {
    const first = Math.round(Math.log10(lo)) + 1, last = Math.round(Math.log10(hi)) - 1;
    const step = Math.max(1, Math.ceil((last - first) / 3));
    const list = [];
    for (let e = last; e >= first; e -= step)
        list.unshift(10 ** e);
    return list;
}

// the numbers beside an axis: zero where there is one, and powers of ten that are not written over it
function splits({ zero, zeros }, { min, max }) {
    const apart = NEAREST * Math.log10(max / min);
    const list = powers(min, max);
    return zeros ? [zero, ...list.filter((x) => Math.log10(x / zero) > apart)] : list;
}

// zero has no logarithm: it stands a decade below the least number that has one
const power = (v, zero) => (v <= 1.5 * zero ? '0' : `1e${Math.round(Math.log10(v))}`.replace('-', '−'));

function zeroOf(numbers) {
    const least = numbers.reduce((m, x) => (x > 0 && x < m ? x : m), Infinity);
    return least < Infinity ? 10 ** (Math.floor(Math.log10(least)) - 1) : 1e-9;
}

// a plot whose numbers do not differ still has a height
function range(plot) {
    return (_, lo, hi) => {
        if (plot.log) {
            if (lo === null || !(lo > 0))
                return [1e-9, 1];
            return [10 ** (Math.floor(Math.log10(lo)) - 1), 10 ** (Math.ceil(Math.log10(hi)) + 1)];
        }
        if (lo === null)
            return [0, 1];
        const width = Math.max(hi - lo, 0.02 * Math.abs(hi), plot.least ?? 0) || 1;
        return [lo - 0.08 * width, hi + 0.12 * width];
    };
}

export class Plots {
    // `seek` is called with a time that was clicked
    constructor(seek) {
        this.seek = seek;
        this.element = h('section', { class: 'plots', 'aria-label': 'Plots over time' });
        this.items = plots.map((plot) => this.add(plot));
        this.reports = [];
        this.times = [];
        this.time = 0;
        new ResizeObserver(() => this.resize()).observe(this.element);
    }

    add(plot) {
        const value = h('output', {});
        const box = h('div', { class: 'plot' });
        const figure = h('figure', { title: plot.hint },
            h('figcaption', {}, h('span', {}, plot.name), value), box);
        this.element.append(figure);
        return { plot, value, box, chart: null };
    }

    make(item) {
        const { plot, box } = item;
        const seek = (u, event) => {
            if (event.buttons & 1 || event.type === 'mousedown')
                this.seek(u.posToVal(event.clientX - u.over.getBoundingClientRect().left, 'x'));
        };
        item.chart = new uPlot({
            width: Math.max(box.clientWidth, 120), height: plot.axis ? 98 : 78, padding: [6, 14, plot.axis ? 0 : 6, 0],
            legend: { show: false }, pxAlign: 0,
            cursor: { y: false, points: { size: 5 }, drag: { setScale: false, x: false, y: false },
                sync: { key: 'cairn' } },
            scales: { x: { time: false }, y: { distr: plot.log ? 3 : 1, range: range(plot) } },
            axes: axes(item),
            series: [{}, ...plot.series.map(({ color }) => ({
                stroke: () => css(color), width: 1.25, points: { show: false }, spanGaps: false,
            }))],
            hooks: {
                draw: [(u) => this.mark(u)],
                setCursor: [() => this.tell()],
                ready: [(u) => {
                    u.over.addEventListener('mousedown', (event) => seek(u, event));
                    u.over.addEventListener('mousemove', (event) => seek(u, event));
                }],
            },
        }, this.columns(item), box);
    }

    columns(item) {
        const lists = item.plot.series.map(({ of }) => this.reports.map((r) => (r.hole ? null : of(r))));
        if (item.plot.log)
            Object.assign(item, { zero: zeroOf(lists.flat()), zeros: lists.flat().includes(0) });
        return [this.times, ...lists.map((list) => (item.plot.log ? list.map((x) => (x === 0 ? item.zero : x)) : list))];
    }

    resize() {
        for (const { chart, box } of this.items)
            if (chart && box.clientWidth > 0)
                chart.setSize({ width: box.clientWidth, height: chart.height });
    }

    setReports(reports) {
        this.reports = reports;
        this.times = reports.map((r) => r.time);
        if (!this.element.isConnected || this.element.clientWidth === 0)
            return;
        for (const item of this.items) {
            if (item.chart)
                item.chart.setData(this.columns(item));
            else
                this.make(item);
        }
        this.tell();
    }

    setTime(time) {
        this.time = time;
        for (const { chart } of this.items)
            chart?.redraw(false, false);
        this.tell();
    }

    // the line at the time that is shown
    mark(u) {
        const x = Math.round(u.valToPos(this.time, 'x', true)) + 0.5;
        const { left, top, width, height } = u.bbox;
        if (!(x >= left && x <= left + width + 1))
            return;
        u.ctx.save();
        u.ctx.strokeStyle = css('--accent');
        u.ctx.lineWidth = devicePixelRatio;
        u.ctx.beginPath();
        u.ctx.moveTo(x, top);
        u.ctx.lineTo(x, top + height);
        u.ctx.stroke();
        u.ctx.restore();
    }

    // values under the pointer, or at the time that is shown
    tell() {
        if (this.reports.length === 0)
            return;
        for (const { plot, value, chart } of this.items) {
            const hovered = chart && chart.cursor.left >= 0 ? chart.cursor.idx : null;
            const at = hovered ?? indexAt(this.times, this.time);
            value.textContent = plot.value(this.reports[at]);
        }
    }

    // colors have changed
    repaint() {
        for (const { chart } of this.items)
            chart?.redraw(false, true);
    }
}
