// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a replay file carries: base64 of a deflated row of blocks, each a 32-bit length and so many bytes.
// A block that begins with '{' is JSON with a key "type": `run`, `stage`, `race`; the others are frames.

function fromBase64(text) {
    const binary = atob(text.trim());
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++)
        bytes[i] = binary.charCodeAt(i);
    return bytes;
}

async function inflate(bytes) {
    if (!('DecompressionStream' in globalThis))
        throw new Error('this browser is too old to unpack the recording (it has no DecompressionStream)');
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function splitBlocks(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const blocks = [];
    for (let at = 0; at < bytes.length;) {
        const size = at + 4 <= bytes.length ? view.getUint32(at, true) : Infinity;
        if (size > bytes.length - at - 4)
            throw new RangeError('the recording in this page ends too early');
        blocks.push(bytes.subarray(at + 4, at + 4 + size));
        at += 4 + size;
    }
    return blocks;
}

export const isJson = (block) => block[0] === 123;
export const readJson = (block) => JSON.parse(new TextDecoder().decode(block));

// the bytes behind deflated base64
export const unpackBytes = async (text) => inflate(fromBase64(text));

export async function unpack(text) {
    return splitBlocks(await unpackBytes(text));
}
