// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Builds the page as one HTML file: script and style are written into it, so that it opens from disk without network.

import { defineConfig } from 'vite';

// moves the chunk and the style sheet of the bundle into the page itself
function inline() {
    return {
        name: 'cairn-inline',
        enforce: 'post',
        generateBundle(_, bundle) {
            const page = bundle['index.html'];
            for (const [name, part] of Object.entries(bundle)) {
                if (part === page)
                    continue;
                const script = part.type === 'chunk';
                const text = script ? part.code.replace(/<\/script/g, '<\\/script') : part.source;
                const tag = script ? `<script type="module">${text}</script>` : `<style>${text}</style>`;
                const reference = new RegExp(`\\s*<(script|link)[^>]*${name}[^>]*>(</script>)?`);
                if (!reference.test(page.source))
                    throw new Error(`${name} is not referenced by the page`);
                page.source = page.source.replace(reference, () => tag);
                delete bundle[name];
            }
        },
    };
}

export default defineConfig({
    base: './',
    plugins: [inline()],
    build: {
        target: 'es2022',
        modulePreload: false,
        cssCodeSplit: false,
        assetsInlineLimit: Infinity,
        chunkSizeWarningLimit: 2000,
        rollupOptions: { output: { inlineDynamicImports: true } },
    },
});
