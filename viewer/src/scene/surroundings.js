// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The image of the surroundings that lights the bodies and that they mirror: a room of one sky, one floor and two
// bright screens, one where the sun stands and a fainter one across. Radiance from the direction w, with
// h = w·up the height of that direction and c = w·s for a screen in the direction s:
//
//     L(w) = mix(floor, sky, smoothstep(-0.25, 0.35, h)) + Σ power · smoothstep(cos outer, cos inner, c)
//
// three.js blurs it for every roughness (a prefiltered cube map), so that materials find there both the light that
// they scatter and the one that they mirror.

import { BackSide, Color, Mesh, PMREMGenerator, Scene, ShaderMaterial, SphereGeometry, Vector3 } from 'three';

const VERTEX = /* glsl */ `
    varying vec3 way;
    void main() {
        way = position;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    }`;

const FRAGMENT = /* glsl */ `
    varying vec3 way;
    uniform vec3 sky, ground, up, sun, across;
    float screen(vec3 w, vec3 center, float outer, float inner) {
        return smoothstep(outer, inner, dot(w, center));
    }
    void main() {
        vec3 w = normalize(way);
        vec3 color = mix(ground, sky, smoothstep(-0.25, 0.35, dot(w, up)));
        color += vec3(2.6, 2.5, 2.3) * screen(w, sun, 0.86, 0.93);
        color += vec3(1.0, 1.1, 1.25) * screen(w, across, 0.8, 0.9);
        gl_FragColor = vec4(color, 1.0);
    }`;

export class Surroundings {
    constructor(renderer, sun) {
        this.generator = new PMREMGenerator(renderer);
        const across = new Vector3(-sun.x, -0.4 * sun.y, 0.5 * sun.z).normalize();
        this.uniforms = {
            sky: { value: new Color() }, ground: { value: new Color() }, up: { value: new Vector3(0, 0, 1) },
            sun: { value: sun.clone() }, across: { value: across },
        };
        this.room = new Scene();
        this.room.add(new Mesh(new SphereGeometry(10, 32, 16), new ShaderMaterial({
            vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms, side: BackSide, depthWrite: false,
        })));
    }

    // the image for a theme, seen with `up` above; the one before is dropped
    image(theme, up) {
        this.uniforms.sky.value.set(theme.skyLight);
        this.uniforms.ground.value.set(theme.groundLight);
        this.uniforms.up.value.copy(up);
        this.drawn?.dispose();
        this.drawn = this.generator.fromScene(this.room, 0, 0.1, 100, { size: 128 });
        return this.drawn.texture;
    }
}
