// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The socket to `cairn view` (docs/view-protocol.md). Text messages become events named by their type; of the frames
// that come in between two pictures only the newest is kept.

import { isJson, readJson } from '../wire/container.js';
import { readFrame } from '../wire/frame.js';

export class Connection extends EventTarget {
    constructor(address) {
        super();
        this.latest = null;
        this.socket = new WebSocket(address, 'cairn-view');
        this.socket.binaryType = 'arraybuffer';
        this.socket.addEventListener('message', ({ data }) => {
            if (typeof data === 'string')
                this.tell(JSON.parse(data));
            else
                this.take(new Uint8Array(data));
        });
        this.socket.addEventListener('close', () => this.emit('closed'));
    }

    emit(type, detail) {
        this.dispatchEvent(new CustomEvent(type, { detail }));
    }

    on(type, action) {
        this.addEventListener(type, (event) => action(event.detail));
    }

    tell(message) {
        this.emit(message.type, message);
    }

    take(bytes) {
        if (isJson(bytes)) {
            // a frame of the stage before has no meaning any more
            this.latest = null;
            this.emit('stage', readJson(bytes));
        } else {
            this.latest = bytes;
        }
    }

    // the newest frame since the last call, or null
    frame() {
        const bytes = this.latest;
        this.latest = null;
        return bytes ? readFrame(bytes, null) : null;
    }

    send(command, values = {}) {
        if (this.socket.readyState === WebSocket.OPEN)
            this.socket.send(JSON.stringify({ command, ...values }));
    }
}

// next to the page, with its token
export function liveAddress(location) {
    return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${location.pathname.replace(/[^/]*$/, '')}live`;
}
