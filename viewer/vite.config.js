// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Builds a page as one HTML file: script and style are written into it, so that it opens from disk without network.
// `vite build` makes the page of runs and races; `vite build --mode playground` the playground, which carries the
// engine, too: CAIRN_WASM names its module.

import { readFileSync, readdirSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { defineConfig } from 'vite';

// moves the chunk and the style sheet of the bundle into the page itself
function inline(name) {
    return {
        name: 'cairn-inline',
        enforce: 'post',
        generateBundle(_, bundle) {
            const page = bundle[name];
            for (const [file, part] of Object.entries(bundle)) {
                if (part === page)
                    continue;
                const script = part.type === 'chunk';
                const text = script ? part.code.replace(/<\/script/g, '<\\/script') : part.source;
                const tag = script ? `<script type="module">${text}</script>` : `<style>${text}</style>`;
                const reference = new RegExp(`\\s*<(script|link)[^>]*${file}[^>]*>(</script>)?`);
                if (!reference.test(page.source))
                    throw new Error(`${file} is not referenced by the page`);
                page.source = page.source.replace(reference, () => tag);
                delete bundle[file];
            }
        },
    };
}

// what the playground carries: the engine, the scenes and their schema
function carry() {
    const folder = new URL('../scenes/', import.meta.url);
    const read = (file) => readFileSync(new URL(file, folder), 'utf8');
    const element = (id, text) => `<script type="text/plain" id="${id}">${text.replaceAll('<', '\\u003c')}</script>`;
    return {
        name: 'cairn-carry',
        transformIndexHtml(html) {
            const scenes = readdirSync(folder).filter((file) => file.endsWith('.json') && file !== 'scene.schema.json')
                .sort().map((file) => [file.slice(0, -5), read(file)]);
            const engine = deflateSync(readFileSync(process.env.CAIRN_WASM), { level: 9 }).toString('base64');
            return html.replace('<!--cairn-data-->', () => [element('cairn-engine', engine),
                element('cairn-scenes', JSON.stringify(scenes)),
                element('cairn-schema', JSON.stringify(JSON.parse(read('scene.schema.json'))))].join('\n'));
        },
    };
}

export default defineConfig(({ mode }) => {
    const playground = mode === 'playground';
    const page = playground ? 'playground.html' : 'index.html';
    return {
        base: './',
        plugins: playground ? [carry(), inline(page)] : [inline(page)],
        build: {
            target: 'es2022',
            modulePreload: false,
            cssCodeSplit: false,
            assetsInlineLimit: Infinity,
            chunkSizeWarningLimit: 2000,
            rollupOptions: { input: page, output: { inlineDynamicImports: true } },
        },
    };
});
