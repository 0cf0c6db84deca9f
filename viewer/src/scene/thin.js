// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A long chain seen whole is thinner than a pixel. Round things are drawn with a radius of at least two pixels: their
// surface moves out along its normal by what is missing at its distance. From close by everything has its true size.

const LEAST = 2; // pixels

// the radius of a shape that can be too thin to see, or null
export function thinRadius(shape) {
    return ['sphere', 'capsule', 'cylinder'].includes(shape.kind) ? shape.radius : null;
}

// the size of a pixel at distance 1 from the camera: the same for all materials
export const pixel = { value: 0 };

export function setPixel(camera, height) {
    pixel.value = (2 * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(height, 1);
}

export function thicken(material, radius) {
    material.onBeforeCompile = (shader) => {
        shader.uniforms.cairnPixel = pixel;
        shader.uniforms.cairnRadius = { value: radius };
        shader.vertexShader = shader.vertexShader
            .replace('#include <common>', '#include <common>\nuniform float cairnPixel, cairnRadius;')
            .replace('#include <begin_vertex>', `#include <begin_vertex>
                vec4 cairnSeen = modelViewMatrix * instanceMatrix * vec4(position, 1.0);
                transformed += objectNormal * max(0.0, ${LEAST.toFixed(2)} * cairnPixel * -cairnSeen.z - cairnRadius);`);
    };
    // one program for all radii: they differ in a uniform only
    material.customProgramCacheKey = () => 'cairn-thin';
}
