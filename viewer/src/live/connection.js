// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The talk with a session (docs/view-protocol.md), over the socket of `cairn view` or inside the page. Messages become
// events named by their type; of the frames that come in between two pictures only the newest is kept.

import { isJson, readJson } from '../wire/container.js';
import { readFrame } from '../wire/frame.js';

const AGAIN = 1000; // ms between two attempts to connect

export class Talk extends EventTarget {
    latest = null;

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
}

// A connection that is lost is made again: `lost` tells that, with the number of attempts so far, and `found` when it is
// there. `closed` tells that it was never there.
export class Connection extends Talk {
    constructor(address) {
        super();
        this.address = address;
        this.greeted = false;
        this.attempts = 0;
        this.on('hello', () => this.welcome());
        this.open();
    }

    open() {
        this.socket = new WebSocket(this.address, 'cairn-view');
        this.socket.binaryType = 'arraybuffer';
        this.socket.addEventListener('message', ({ data }) => {
            if (typeof data === 'string')
                this.tell(JSON.parse(data));
            else
                this.take(new Uint8Array(data));
        });
        this.socket.addEventListener('close', () => this.miss());
    }

    welcome() {
        if (this.greeted && this.attempts > 0)
            this.emit('found');
        this.greeted = true;
        this.attempts = 0;
    }

    miss() {
        if (!this.greeted) {
            this.emit('closed');
            return;
        }
        this.attempts += 1;
        this.emit('lost', this.attempts);
        setTimeout(() => this.open(), AGAIN);
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
