/** How the dashboard is bundled: hashed files under /assets, without inline scripts. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Schemas of request bodies, and the library that validates them. */
const SHAPES = /[\\/](?:node_modules[\\/]zod|src[\\/](?:schemas|kinds))[\\/]/;

const here = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root: here,
  base: '/',
  // The server replaces the placeholder `__NONCE__` with a fresh nonce in every response.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: fileURLToPath(new URL('../../dist/dashboard', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The frame, the schemas and the shared code are one file each, so that pages need few requests.
        codeSplitting: {
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 3 },
            { name: 'shapes', test: SHAPES, minShareCount: 2, priority: 2 },
            { name: 'shared', minShareCount: 6, priority: 1 },
          ],
        },
      },
    },
    // The content security policy does not allow data: URLs.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:3000' } },
});
