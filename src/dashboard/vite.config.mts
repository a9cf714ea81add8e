/** How the dashboard is bundled: hashed files under /assets, no inline script, nothing from elsewhere. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** What describes bodies, with the library that checks them. */
const SHAPES = /[\\/](?:node_modules[\\/]zod|src[\\/](?:schemas|kinds))[\\/]/;

const here = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root: here,
  base: '/',
  // The server puts a fresh value in with every answer.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: fileURLToPath(new URL('../../dist/dashboard', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // One file each for the frame, for the shapes that forms check against, and for what most pages use: few
        // requests, nothing loaded for other pages.
        codeSplitting: {
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 3 },
            { name: 'shapes', test: SHAPES, minShareCount: 2, priority: 2 },
            { name: 'shared', minShareCount: 6, priority: 1 },
          ],
        },
      },
    },
    // Data addresses are kept out of the content policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:3000' } },
});
