// `npm run faults -- [--only NAMES] [--seconds N] [--seed N] [--monitors N] [--quiet on|off] [--json FILE]`: plays faults
// on a service with servers of its own and reports what became of each slot and alert. Without --only it
// plays all of them, one after the other, in an order that the seed decides: more than half an hour.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { packageFile, runNode } from './run-step.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'all' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
    monitors: { type: 'string', default: '20' },
    quiet: { type: 'string', default: 'on' },
    json: { type: 'string' },
  },
});

await ensureInstalled();
await ensureBuilt();
const fetched = await runNode([join(root, 'dist', 'embedded', 'fetch-servers.js')]);
if (fetched !== 0) process.exit(fetched);

const settings = {
  KEEPWATCH_TEST_FAULTS: values.only,
  KEEPWATCH_TEST_FAULT_SECONDS: values.seconds,
  KEEPWATCH_TEST_SEED: values.seed,
  KEEPWATCH_TEST_MONITORS: values.monitors,
  KEEPWATCH_QUIET_CHECKS: values.quiet,
  KEEPWATCH_TEST_FAULT_REPORT: values.json === undefined ? undefined : resolve(values.json),
};
for (const [name, value] of Object.entries(settings))
  if (value !== undefined) process.env[name] = value;
process.exit(
  await runNode([
    packageFile('jest', 'bin', 'jest.js'),
    join('test', 'faults'),
    '--selectProjects',
    'servers',
    '--runInBand',
    '--forceExit',
  ]),
);
