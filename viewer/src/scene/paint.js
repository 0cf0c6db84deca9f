// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Which color each body has: its own, or one that tells how it touches, how fast it is, or with whom it hangs together.

import { Color } from 'three';
import { FROZEN, SLIDE, STICK } from '../wire/frame.js';
import { lookColor } from './looks.js';
import { frozenColor, islandColor, rampColor, stateColors, stoneColor } from './theme.js';

export const MODES = ['body', 'contact', 'speed', 'island'];

// sliding counts more than sticking: one sliding contact makes a body slide
function worstStates(frame) {
    const worst = new Uint8Array(frame.bodyCount);
    for (let c = 0; c < frame.contactCount; c++) {
        const state = frame.contactState[c];
        for (const body of [frame.contactPair[2 * c], frame.contactPair[2 * c + 1]])
            if (body >= 0 && body < worst.length && state > worst[body])
                worst[body] = state;
    }
    return worst;
}

export function speedOf(frame, i) {
    const v = frame.velocity;
    return Math.hypot(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
}

export function fastest(stage, frame) {
    let most = 0;
    for (let i = 0; i < frame.bodyCount; i++)
        if (stage.bodies[i]?.type === 'dynamic')
            most = Math.max(most, speedOf(frame, i));
    return most;
}

// an island has the color of its first body, so that it keeps it while others come and go
function firstOfIslands(frame) {
    const first = [];
    for (let i = frame.bodyCount - 1; i >= 0; i--)
        if (frame.island[i] >= 0)
            first[frame.island[i]] = i;
    return first;
}

const painters = {
    body: (stage) => (out, i) => lookColor(out, stage.bodies[i].look, i) ?? stoneColor(out, i),
    contact: (stage, frame, theme) => {
        const worst = worstStates(frame);
        return (out, i) => {
            if (worst[i] === STICK)
                return out.copy(stateColors.stick);
            return worst[i] === SLIDE ? out.copy(stateColors.slide) : out.set(theme.quiet);
        };
    },
    speed: (stage, frame, theme, scale) => (out, i) => rampColor(out, speedOf(frame, i) / scale),
    island: (stage, frame, theme) => {
        const first = firstOfIslands(frame);
        return (out, i) => (frame.island[i] < 0 ? out.set(theme.quiet) : islandColor(out, first[frame.island[i]]));
    },
};

// three numbers for each body; `scale` is the speed at the end of the ramp
export function bodyColors(mode, stage, frame, theme, scale) {
    const colors = new Float32Array(3 * stage.bodies.length);
    const painter = painters[mode](stage, frame, theme, scale);
    const color = new Color();
    stage.bodies.forEach((body, i) => {
        if (!body || body.type === 'static' || i >= frame.bodyCount)
            lookColor(color, body?.look, i) ?? color.set(theme.fixed);
        else if (frame.flags[i] & FROZEN)
            color.copy(frozenColor);
        else
            painter(color, i);
        color.toArray(colors, 3 * i);
    });
    return colors;
}
