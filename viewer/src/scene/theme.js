// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Colors of the scene by day and by night, and the scales that turn a quantity into a color.

import { Color } from 'three';

const light = {
    sky: '#eeedeb', ground: '#dfddd9', line: '#bdb8af', fixed: '#c4c0b8', sun: 2.5, fill: 0.42,
    skyLight: '#ffffff', groundLight: '#d2cec8', joint: '#6b6862', select: '#0b5c66', quiet: '#cbc7bf',
    glass: '#4d8b9b', glassEdge: '#4f7680', zenith: '#c3d2dd', edge: '#4a4640', edgeOpacity: 0.45, occlusion: 0.85,
};
const dark = {
    sky: '#1c1f22', ground: '#3b3d3f', line: '#5c6165', fixed: '#62676c', sun: 2.3, fill: 0.38,
    skyLight: '#eceef0', groundLight: '#8a857e', joint: '#9aa2aa', select: '#7fd6df', quiet: '#6a727a',
    glass: '#a8d0da', glassEdge: '#84a3ab', zenith: '#0c0f12', edge: '#0b0d0f', edgeOpacity: 0.6, occlusion: 0.7,
};

export const themes = { light, dark };

// stones: slate, sandstone, sage, clay, heather, limestone, lichen, brick
const stones = ['#93a1ad', '#cdb694', '#a9b99d', '#cc9f85', '#a29dbb', '#d8cbb0', '#8bacac', '#bd8f89']
    .map((c) => new Color(c));

// bodies are pale where arrows on them are strong
export const stateColors = { stick: new Color('#8db9c6'), slide: new Color('#edc08c') };
export const arrowColors = { stick: new Color('#176a86'), slide: new Color('#d2660a') };
export const frozenColor = new Color('#b3261e');

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
