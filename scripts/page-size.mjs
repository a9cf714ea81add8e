// Checks the size of the dashboard after gzip: the code that the first page loads, and each part that is loaded later.
// Fails if a size is above its limit. Builds what is out of date first. Run directly or as a step of `npm run verify`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensureDashboardBuilt } from './build.mjs';
import { root } from './install.mjs';

const FIRST_MAX = 200_000;
const LATER_MAX = 140_000;

await ensureDashboardBuilt();

const folder = join(root, 'dist', 'dashboard');
const page = readFileSync(join(folder, 'index.html'), 'utf8');
const firstNames = new Set([...page.matchAll(/\/assets\/([^"]+\.js)/g)].map(([, name]) => name));
const parts = readdirSync(join(folder, 'assets'))
  .filter((name) => name.endsWith('.js'))
  .map((name) => ({ name, size: gzipSync(readFileSync(join(folder, 'assets', name))).length }));

const first = parts
  .filter(({ name }) => firstNames.has(name))
  .reduce((sum, { size }) => sum + size, 0);
const later = parts.filter(({ name }) => !firstNames.has(name)).sort((a, b) => b.size - a.size);
const tooLarge = later.filter(({ size }) => size > LATER_MAX);
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;

console.log(`first page  ${kilobytes(first)} of ${kilobytes(FIRST_MAX)}`);
console.log(
  `largest later part  ${kilobytes(later[0]?.size ?? 0)} of ${kilobytes(LATER_MAX)} (${later[0]?.name})`,
);
if (first > FIRST_MAX || tooLarge.length > 0) {
  console.error('The dashboard is over its budget: load something later, or leave it out.');
  process.exit(1);
}
