// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A scene as a link: its text, deflated, as the fragment of the address, which never leaves the browser.

const KEY = 'scene=';

async function through(stream, bytes) {
    const piped = new Blob([bytes]).stream().pipeThrough(stream);
    return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function linkTo(text, address) {
    const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(text));
    let binary = '';
    for (const byte of bytes)
        binary += String.fromCharCode(byte);
    const word = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
    return `${address.split('#')[0]}#${KEY}${word}`;
}

// the text of a link, or null when it carries none or is damaged
export async function sceneOf(fragment) {
    const at = fragment.indexOf(KEY);
    if (at < 0)
        return null;
    try {
        const word = fragment.slice(at + KEY.length).replaceAll('-', '+').replaceAll('_', '/');
        const bytes = Uint8Array.from(atob(word), (c) => c.charCodeAt(0));
        return new TextDecoder('utf-8', { fatal: true }).decode(await through(new DecompressionStream('deflate-raw'), bytes));
    } catch {
        return null;
    }
}

// the name of a scene in the fragment, as #wall
export const nameOf = (fragment) => /^#([a-z0-9_-]+)$/i.exec(fragment)?.[1] ?? null;
