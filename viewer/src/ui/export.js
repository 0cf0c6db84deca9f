// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The picture as a file: as it is (PNG), or as a film of what is shown from now on until it is stopped (WebM).

import { h } from './dom.js';

const KINDS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];

function save(blob, name) {
    const address = URL.createObjectURL(blob);
    h('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 2000);
}

export function savePicture(canvas, name) {
    return new Promise((resolve) => {
        canvas.toBlob((blob) => { save(blob, `${name}.png`); resolve(blob.size); }, 'image/png');
    });
}

export class Film {
    constructor(canvas) {
        this.canvas = canvas;
        this.recorder = null;
        this.size = 0; // bytes so far
    }

    get running() {
        return this.recorder !== null;
    }

    start() {
        const mimeType = globalThis.MediaRecorder && KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
        if (!mimeType)
            throw new Error('this browser cannot record video');
        const parts = [];
        this.size = 0;
        this.recorder = new MediaRecorder(this.canvas.captureStream(60), { mimeType, videoBitsPerSecond: 12e6 });
        this.recorder.addEventListener('dataavailable', ({ data }) => {
            parts.push(data);
            this.size += data.size;
        });
        this.ended = new Promise((resolve) => {
            this.recorder.addEventListener('stop', () => resolve(new Blob(parts, { type: 'video/webm' })));
        });
        this.recorder.start(500);
    }

    // gives the number of bytes of the file
    async stop(name) {
        this.recorder.stop();
        this.recorder.stream.getTracks().forEach((track) => track.stop());
        this.recorder = null;
        const film = await this.ended;
        save(film, `${name}.webm`);
        return film.size;
    }
}
