// Writes test/surface/released.json, which lists what users rely on in this version. The release script runs it after
// the build. The tests compare every later change with this file.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const { readSurface, renderSurface } = createRequire(import.meta.url)(
  fileURLToPath(new URL('dist/surface/read-surface.js', root)),
);

const today = new Date().toISOString().slice(0, 10);
writeFileSync(new URL('test/surface/released.json', root), renderSurface(readSurface(today)));
// Changes that were accepted before this release are now part of the release.
writeFileSync(new URL('test/surface/accepted.json', root), '[]\n');
console.log('wrote test/surface/released.json and emptied test/surface/accepted.json');
