// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The engine in the page, spoken to as if it were `cairn view`.

import { Talk } from '../live/connection.js';
import EngineWorker from './worker.js?worker&inline';

export class Engine extends Talk {
    // `files` are pairs of a name and the text of a scene, of which `scene` is shown first
    constructor(bytes, files, scene) {
        super();
        this.threads = 1;
        this.worker = new EngineWorker();
        this.worker.addEventListener('message', ({ data }) => {
            if (data instanceof Uint8Array)
                this.take(data);
            else if (data.type === 'broken')
                this.emit('closed', data.text);
            else
                this.tell(data);
        });
        this.worker.addEventListener('error', (event) => this.emit('closed', event.message));
        // a page from disk has no memory that is shared
        const beside = location.protocol.startsWith('http') ? location.href : null;
        this.on('threads', ({ count }) => { this.threads = count; });
        this.worker.postMessage({ order: 'start', bytes, beside, files, scene });
    }

    send(command, values = {}) {
        this.worker.postMessage({ order: 'send', message: { command, ...values } });
    }

    // shows a scene from its text; what is wrong with it comes as an error of the command `scene`
    load(name, text) {
        this.worker.postMessage({ order: 'put', name, text });
        this.send('scene', { name });
    }
}
