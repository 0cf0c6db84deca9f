// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What bodies are made of, to the eye: a pattern in the frame of the body, and how it mirrors its surroundings
// (surroundings.js). Patterns only shade the color of a body, so that colors that tell something can still be read.

import { Color } from 'three';

// the pattern of a look, how rough it is to light, and how much of it is metal
const looks = {
    plain: { kind: 0, roughness: 0.55, metalness: 0 },
    stone: { kind: 1, roughness: 0.9, metalness: 0 },
    wood: { kind: 2, roughness: 0.5, metalness: 0 },
    steel: { kind: 3, roughness: 0.24, metalness: 1 },
    rubber: { kind: 4, roughness: 0.7, metalness: 0 },
};

const tints = {
    stone: ['#a9a59b', '#b8b0a2', '#9a9b98', '#b3aa98'],
    wood: ['#c79a63', '#b98a56', '#d0a672', '#c0925f'],
    steel: ['#c6cdd4', '#d0d5da', '#bec6cf', '#c9cdd3'],
    rubber: ['#3d4044', '#46484b', '#37393d', '#404347'],
};

export function lookColor(out, look, index) {
    const list = tints[look];
    return list ? out.set(list[(index * 7 + (index >> 2)) % list.length]) : null;
}

// the size of a usual body, by which patterns are scaled: the same for all materials
export const grain = { value: 1 };

const NOISE = /* glsl */ `
    varying vec3 cairnAt;
    uniform float cairnGrain;
    float cairnHash(vec3 p) {
        p = fract(p * 0.3183099 + vec3(0.71, 0.113, 0.419));
        p *= 17.0;
        return fract(p.x * p.y * p.z * (p.x + p.y + p.z));
    }
    float cairnNoise(vec3 x) {
        vec3 i = floor(x), f = fract(x);
        f = f * f * (3.0 - 2.0 * f);
        return mix(mix(mix(cairnHash(i), cairnHash(i + vec3(1, 0, 0)), f.x),
                       mix(cairnHash(i + vec3(0, 1, 0)), cairnHash(i + vec3(1, 1, 0)), f.x), f.y),
                   mix(mix(cairnHash(i + vec3(0, 0, 1)), cairnHash(i + vec3(1, 0, 1)), f.x),
                       mix(cairnHash(i + vec3(0, 1, 1)), cairnHash(i + vec3(1, 1, 1)), f.x), f.y), f.z);
    }
    // 1 on average; finer than a pixel it fades
    float cairnPattern(vec3 p) {
        float fine = 1.0 - smoothstep(0.15, 0.7, length(fwidth(p)));
    #if CAIRN_LOOK == 1
        float n = 0.5 * cairnNoise(3.0 * p) + 0.3 * cairnNoise(9.0 * p) + 0.2 * cairnNoise(23.0 * p);
        float speck = smoothstep(0.72, 0.8, cairnNoise(31.0 * p));
        return mix(1.0, 0.72 + 0.56 * n - 0.16 * speck, fine);
    #elif CAIRN_LOOK == 2
        float ring = length(p.yz + 0.12 * cairnNoise(2.0 * p)) + 0.02 * p.x;
        float grain = 0.5 + 0.5 * sin(34.0 * ring + 3.0 * cairnNoise(4.0 * p));
        return mix(1.0, 0.78 + 0.3 * grain + 0.12 * cairnNoise(vec3(2.0, 40.0, 40.0) * p), fine);
    #elif CAIRN_LOOK == 3
        return mix(1.0, 0.94 + 0.12 * cairnNoise(vec3(60.0, 60.0, 3.0) * p), fine);
    #elif CAIRN_LOOK == 4
        return mix(1.0, 0.9 + 0.2 * cairnNoise(40.0 * p), fine);
    #else
        return 1.0;
    #endif
    }
`;

// gives a material its look; other changes of its shader stay
export function dress(material, look = 'plain') {
    const { kind, roughness, metalness } = looks[look] ?? looks.plain;
    material.roughness = roughness;
    material.metalness = metalness;
    const before = material.onBeforeCompile;
    const key = material.customProgramCacheKey();
    material.defines = { ...material.defines, CAIRN_LOOK: kind };
    material.onBeforeCompile = (shader, renderer) => {
        before.call(material, shader, renderer);
        shader.uniforms.cairnGrain = grain;
        shader.vertexShader = shader.vertexShader
            .replace('#include <common>', '#include <common>\nvarying vec3 cairnAt;\nuniform float cairnGrain;')
            .replace('#include <begin_vertex>', `#include <begin_vertex>
                vec3 cairnScale = vec3(length(instanceMatrix[0]), length(instanceMatrix[1]), length(instanceMatrix[2]));
                float cairnTurn = float(gl_InstanceID % 97);
                cairnAt = position * cairnScale / cairnGrain + 0.37 * vec3(cairnTurn, 0.13 * cairnTurn, 0.29 * cairnTurn);`);
        shader.fragmentShader = shader.fragmentShader
            .replace('#include <common>', `#include <common>\n${NOISE}`)
            .replace('#include <color_fragment>', '#include <color_fragment>\ndiffuseColor.rgb *= cairnPattern(cairnAt);');
    };
    material.customProgramCacheKey = () => `${key} cairn-look ${kind}`;
    return material;
}
