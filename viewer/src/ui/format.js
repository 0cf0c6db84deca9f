// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Numbers as people read them.

// three digits, with a power of ten outside of the range that is easy to read
export function short(x) {
    if (x === null || x === undefined || Number.isNaN(x))
        return '–';
    if (!Number.isFinite(x))
        return x > 0 ? '∞' : '−∞';
    if (x === 0)
        return '0';
    const size = Math.abs(x);
    if (size >= 1e5 || size < 1e-3)
        return power(x);
    const digits = Math.max(0, 2 - Math.floor(Math.log10(size)));
    return x.toFixed(Math.min(digits, 5)).replace('-', '−');
}

function power(x) {
    const [mantissa, exponent] = x.toExponential(1).split('e');
    return `${mantissa}e${Number(exponent)}`.replaceAll('-', '−');
}

// with SI prefixes: 12.3 k, 4.56 m
const prefixes = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']];

export function withUnit(x, unit) {
    if (!Number.isFinite(x))
        return `${short(x)} ${unit}`;
    const size = Math.abs(x);
    const found = prefixes.find(([f]) => size >= f * 0.9995);
    if (!found)
        return size > 0 ? `< 1 n${unit}` : `0 ${unit}`;
    const [factor, prefix] = found;
    return `${short(x / factor)} ${prefix}${unit}`;
}

// one prefix for all ticks of an axis, by the largest of them: "0 kJ", "500 kJ", "1000 kJ"
export function ticksWithUnit(ticks, unit) {
    const most = Math.max(...ticks.map(Math.abs));
    const [factor, prefix] = prefixes.find(([f]) => most >= f * 0.9995) ?? [1, ''];
    return ticks.map((x) => `${String(Number((x / factor).toPrecision(6))).replace('-', '−')} ${prefix}${unit}`);
}

export const seconds = (t) => `${t.toFixed(2)} s`;

export function vector(v, at = 0, n = 3) {
    return Array.from({ length: n }, (_, k) => fixed(v[n * at + k])).join('  ');
}

// three decimals, never "-0.000"
export function fixed(x, digits = 3) {
    const text = x.toFixed(digits);
    return (Number(text) === 0 ? (0).toFixed(digits) : text).replace('-', '−');
}

// the next of 1, 2, 5, 10, ... that is not smaller
export function niceStep(x) {
    if (!(x > 0) || !Number.isFinite(x))
        return 1;
    const ten = 10 ** Math.floor(Math.log10(x));
    return ten * [1, 2, 5, 10].find((step) => step * ten >= 0.999999 * x);
}
