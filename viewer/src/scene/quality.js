// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How much a picture may cost. A machine without a graphics card draws in software: there edges stay rough and
// shadows coarse, so that the picture still moves.

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

function rendererName() {
    const gl = document.createElement('canvas').getContext('webgl2');
    const info = gl?.getExtension('WEBGL_debug_renderer_info');
    const name = gl?.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER) ?? '';
    gl?.getExtension('WEBGL_lose_context')?.loseContext();
    return name;
}

export function chooseQuality() {
    return SOFTWARE.test(rendererName()) ? { antialias: false, shadowMap: 1024, pixelRatio: 1 }
        : { antialias: true, shadowMap: 2048, pixelRatio: 2 };
}
