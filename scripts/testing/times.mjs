// Elapsed time of each test file: test/times.json orders the files of a run, longest first. A whole run of
// `npm test` leaves its times in dist; `node scripts/testing/times.mjs` copies them into test/times.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../install.mjs';

const SHORTEST_S = 2;
const LAST = join(root, 'dist', 'test-times.json');
const FLAKY = join(root, 'dist', 'flaky.json');
const KEPT = join(root, 'test', 'times.json');

/** Keeps the times of a run; shorter files need no place in the order. */
export function saveTimes(costs) {
  const rows = costs
    .map(({ file, wallMs }) => [file.replaceAll('\\', '/'), Math.round(wallMs / 1000)])
    .filter(([, elapsedSeconds]) => elapsedSeconds >= SHORTEST_S)
    .sort(([a, aSeconds], [b, bSeconds]) => bSeconds - aSeconds || a.localeCompare(b));
  writeFileSync(LAST, `${JSON.stringify({ elapsedSeconds: Object.fromEntries(rows) }, null, 2)}\n`);
}

/** Keeps the FLAKY lines of a run where whoever collects them finds them; an empty list is a run without any. */
export function saveFlaky(lines) {
  const flaky = lines.filter((line) => line.startsWith('FLAKY '));
  writeFileSync(FLAKY, `${JSON.stringify(flaky, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(KEPT, readFileSync(LAST, 'utf8'));
