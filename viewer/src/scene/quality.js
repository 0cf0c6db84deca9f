// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How much a picture may cost. A machine without a graphics card draws in software: there edges stay rough and
// shadows coarse, so that the picture still moves; a picture that stands still is drawn once more and better.

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

function rendererName() {
    const gl = document.createElement('canvas').getContext('webgl2');
    const info = gl?.getExtension('WEBGL_debug_renderer_info');
    const name = gl?.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER) ?? '';
    gl?.getExtension('WEBGL_lose_context')?.loseContext();
    return name;
}

export function chooseQuality() {
    return SOFTWARE.test(rendererName()) ? { antialias: false, shadowMap: 1024, pixelRatio: 1, samples: 0, fine: false }
        : { antialias: true, shadowMap: 2048, pixelRatio: 2, samples: 4, fine: true };
}
