// Stores how long each test file took. A full run of `npm test` writes the times to dist. `node
// scripts/testing/times.mjs` copies them to test/times.json, which orders the files of later runs, longest first.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../install.mjs';

const SHORTEST_S = 2;
const LAST = join(root, 'dist', 'test-times.json');
const FLAKY = join(root, 'dist', 'flaky.json');
const KEPT = join(root, 'test', 'times.json');

/** Stores the times of a run. Short files are left out, because their order does not matter. */
export function saveTimes(costs) {
  const rows = costs
    .map(({ file, wallMs }) => [file.replaceAll('\\', '/'), Math.round(wallMs / 1000)])
    .filter(([, elapsedSeconds]) => elapsedSeconds >= SHORTEST_S)
    .sort(([a, aSeconds], [b, bSeconds]) => bSeconds - aSeconds || a.localeCompare(b));
  writeFileSync(LAST, `${JSON.stringify({ elapsedSeconds: Object.fromEntries(rows) }, null, 2)}\n`);
}

/** Stores the FLAKY lines of a run for tools that collect them; a run without such lines stores an empty list. */
export function saveFlaky(lines) {
  const flaky = lines.filter((line) => line.startsWith('FLAKY '));
  writeFileSync(FLAKY, `${JSON.stringify(flaky, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(KEPT, readFileSync(LAST, 'utf8'));
