// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A `cairn view` of a test, and a client of its socket that can be as rude as a test wants.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { cairn, folder, until } from './harness.mjs';

// starts the server in the folder of the test; `address` is the one that it prints
export async function startServer(...options) {
    const child = spawn(cairn, ['view', ...options], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const server = { child, said: '', gone: false };
    child.stdout.on('data', (data) => { server.said += data; });
    child.stderr.on('data', (data) => { server.said += data; });
    child.on('exit', () => { server.gone = true; });
    await until(() => server.gone || /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//.test(server.said), 'an address is printed');
    if (server.gone)
        throw new Error(`cairn view ended: ${server.said}`);
    [server.address] = server.said.match(/http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//);
    server.url = new URL(server.address);
    server.stop = async () => {
        child.kill('SIGTERM');
        await until(() => server.gone, 'the server ends');
    };
    return server;
}

// the status of a plain request
export function get(server, path, headers = {}) {
    return new Promise((resolve, reject) => {
        request({ host: '127.0.0.1', port: server.url.port, path, headers, agent: false }, (response) => {
            response.resume();
            response.on('end', () => resolve(response.statusCode));
        }).on('error', reject).end();
    });
}

const CLOSE = 8;

// tells the opcodes of the frames in some bytes and gives back what is left of them
function read(bytes, tell) {
    for (;;) {
        if (bytes.length < 2)
            return bytes;
        const short = bytes[1] & 127;
        const head = short < 126 ? 2 : short === 126 ? 4 : 10;
        if (bytes.length < head)
            return bytes;
        const size = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
        if (bytes.length < head + size)
            return bytes;
        tell(bytes[0] & 15);
        bytes = bytes.subarray(head + size);
    }
}

// asks for a WebSocket: { status, socket }; the socket is there when the status is 101
export function upgrade(server, headers = {}) {
    return new Promise((resolve) => {
        const asked = request({
            host: '127.0.0.1', port: server.url.port, path: `${server.url.pathname}live`, agent: false,
            headers: {
                Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13',
                'Sec-WebSocket-Key': randomBytes(16).toString('base64'), 'Sec-WebSocket-Protocol': 'cairn-view',
                Host: server.url.host, Origin: server.url.origin, ...headers,
            },
        });
        asked.on('upgrade', (response, socket, first) => {
            const open = { status: 101, socket, closed: false };
            let waiting = Buffer.alloc(0);
            socket.on('data', (data) => {
                waiting = Buffer.concat([waiting, data]);
                waiting = read(waiting, (opcode) => { open.closed ||= opcode === CLOSE; });
            });
            socket.emit('data', first);
            socket.on('error', () => {});
            socket.on('close', () => { open.closed = true; });
            resolve(open);
        });
        asked.on('response', (response) => { response.resume(); resolve({ status: response.statusCode }); });
        asked.on('error', () => resolve({ status: 0 }));
        asked.end();
    });
}

// a masked frame of a WebSocket: opcode 1 is text, 2 is binary
export function frameOf(opcode, payload) {
    const mask = randomBytes(4);
    const data = Buffer.from(payload);
    const head = data.length < 126 ? Buffer.from([0x80 | opcode, 0x80 | data.length])
        : Buffer.from([0x80 | opcode, 0x80 | 126, data.length >> 8, data.length & 255]);
    return Buffer.concat([head, mask, data.map((byte, i) => byte ^ mask[i % 4])]);
}
