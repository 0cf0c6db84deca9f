// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The surface of a half-space: a wide plane with a faint grid that fades into the background, and the shadows on it;
// and a floor for mechanisms that hang in the air, which is no part of the scene.

import { Color, Mesh, MeshStandardMaterial, PlaneGeometry } from 'three';
import { niceStep } from '../ui/format.js';

const GRID = /* glsl */ `
    // lines one pixel wide at whole multiples of the pitch, gone where they would be too dense to tell apart
    float cairnLines(vec2 p, float pitch) {
        vec2 g = p / pitch, width = fwidth(g);
        vec2 d = abs(fract(g - 0.5) - 0.5) / width;
        vec2 on = (1.0 - min(d, 1.0)) * (1.0 - smoothstep(0.1, 0.4, width));
        return max(on.x, on.y);
    }
`;

export function makeGround(reach, pitch) {
    const material = new MeshStandardMaterial({ transparent: true, roughness: 0.95 });
    const uniforms = {
        lineColor: { value: new Color() },
        pitch: { value: pitch },
        reach: { value: reach },
    };
    material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, uniforms);
        shader.vertexShader = shader.vertexShader
            .replace('#include <common>', '#include <common>\nvarying vec2 cairnPlane;')
            .replace('#include <begin_vertex>', '#include <begin_vertex>\ncairnPlane = position.xy;');
        shader.fragmentShader = shader.fragmentShader
            .replace('#include <common>', `#include <common>
                varying vec2 cairnPlane;
                uniform vec3 lineColor;
                uniform float pitch, reach;
                ${GRID}`)
            .replace('#include <color_fragment>', `#include <color_fragment>
                float near = 1.0 - smoothstep(0.03 * reach, 0.3 * reach, length(cairnPlane));
                float fine = 0.3 * cairnLines(cairnPlane, pitch) + 0.4 * cairnLines(cairnPlane, 5.0 * pitch);
                diffuseColor.rgb = mix(diffuseColor.rgb, lineColor, near * min(fine, 1.0));
                diffuseColor.a *= 1.0 - smoothstep(0.12 * reach, 0.7 * reach, length(cairnPlane));`);
    };
    const mesh = new Mesh(new PlaneGeometry(2 * reach, 2 * reach), material);
    mesh.receiveShadow = true;
    mesh.setTheme = (theme) => {
        material.color.set(theme.ground);
        uniforms.lineColor.value.set(theme.line);
    };
    return mesh;
}

export function makeFloor(theme, { box, center, radius }) {
    const floor = makeGround(60 * radius, niceStep(radius / 6));
    floor.position.set(center.x, center.y, box.min.z - 0.04 * radius);
    floor.setTheme(theme);
    floor.dispose = () => {
        floor.geometry.dispose();
        floor.material.dispose();
    };
    return floor;
}
