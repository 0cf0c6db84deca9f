// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The sky: from the color in which the ground fades, at the horizon, to another one overhead.

import { BackSide, Color, Mesh, ShaderMaterial, SphereGeometry, Vector3 } from 'three';

const VERTEX = /* glsl */ `
    varying vec3 way;
    void main() {
        way = position;
        vec4 seen = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
        gl_Position = seen.xyww; // behind everything
    }`;

const FRAGMENT = /* glsl */ `
    varying vec3 way;
    uniform vec3 low, high, up;
    void main() {
        gl_FragColor = vec4(mix(low, high, smoothstep(0.0, 0.55, dot(normalize(way), up))), 1.0);
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
    }`;

export class Sky extends Mesh {
    constructor() {
        const uniforms = { low: { value: new Color() }, high: { value: new Color() }, up: { value: new Vector3(0, 0, 1) } };
        super(new SphereGeometry(1, 24, 12), new ShaderMaterial({
            vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, side: BackSide, depthWrite: false,
        }));
        this.uniforms = uniforms;
        this.frustumCulled = false;
        this.renderOrder = -1;
    }

    setTheme(theme) {
        this.uniforms.low.value.set(theme.sky);
        this.uniforms.high.value.set(theme.zenith);
    }
}
