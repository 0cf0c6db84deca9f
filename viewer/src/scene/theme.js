// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Colors of the scene by day and by night, and the scales that turn a quantity into a color.

import { Color } from 'three';

const light = {
    sky: '#e9e7e2', ground: '#d3cfc6', line: '#aaa498', fixed: '#b9b5ac', sun: 2.3, fill: 1.5,
    skyLight: '#ffffff', groundLight: '#b8afa1', select: '#0b5c66', quiet: '#c6c2b9',
};
const dark = {
    sky: '#16191c', ground: '#2a2f34', line: '#47505a', fixed: '#4a5158', sun: 2.0, fill: 0.9,
    skyLight: '#c7d3e0', groundLight: '#2b2a28', select: '#7fd6df', quiet: '#5b6269',
};

export const themes = { light, dark };

// stones: slate, sandstone, sage, clay, heather, limestone, lichen, brick
const stones = ['#7d8c99', '#c0a57f', '#94a886', '#bd8768', '#8a84a3', '#cbbb9b', '#6f9596', '#a8706a']
    .map((c) => new Color(c));
const stick = new Color('#2f7f95');
const slide = new Color('#e08a2e');
const frozen = new Color('#b3261e');

export const stateColors = { stick, slide };

// consecutive bodies differ, and so do neighbors in a row
export function stoneColor(out, index) {
    return out.copy(stones[(index * 5 + Math.floor(index / 8) * 3) % stones.length]);
}

// islands: hues by the golden angle, so that no two numbers that are close look alike
export function islandColor(out, index) {
    return out.setHSL((index * 0.61803398875) % 1, 0.34, 0.58);
}

// from rest to the greatest speed: slate, teal, sand, ember
const ramp = ['#6b7780', '#4f9092', '#d9b566', '#cf5b37'].map((c) => new Color(c));

export function rampColor(out, x) {
    const t = Math.min(Math.max(x, 0), 1) * (ramp.length - 1);
    const i = Math.min(Math.floor(t), ramp.length - 2);
    return out.lerpColors(ramp[i], ramp[i + 1], t - i);
}

export const rampStops = ramp.map((c) => `#${c.getHexString()}`);
export const frozenColor = frozen;
