// `npm run faults -- [--on all-in-one|cluster] [--only NAMES] [--seconds N] [--seed N] [--monitors N] [--mass N]
// [--mass-interval N] [--steady watch|full] [--json FILE]`: injects faults into a service with its own servers, and
// reports the outcome of each slot and alert. Without --only, it injects all faults one after the other, in an order
// that depends on the seed. This takes more than half an hour.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build.mjs';
import { findClusterPrograms } from './cluster-programs.mjs';
import { ensureInstalled, root } from './install.mjs';
import { packageFile, runNode } from './run-step.mjs';

const { values } = parseArgs({
  options: {
    on: { type: 'string', default: 'all-in-one' },
    only: { type: 'string', default: 'all' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
    monitors: { type: 'string', default: '20' },
    mass: { type: 'string', default: '1000' },
    'mass-interval': { type: 'string' },
    steady: { type: 'string', default: 'watch' },
    json: { type: 'string' },
  },
});

if (!['all-in-one', 'cluster'].includes(values.on)) {
  console.error('--on must be all-in-one or cluster.');
  process.exit(1);
}
await ensureInstalled();
await ensureBuilt();

const settings = {
  KEEPWATCH_TEST_FAULTS_ON: values.on,
  KEEPWATCH_CLUSTER_PROGRAMS: values.on === 'cluster' ? findClusterPrograms() : undefined,
  KEEPWATCH_TEST_LONG: 'on',
  KEEPWATCH_TEST_FAULTS: values.only,
  KEEPWATCH_TEST_FAULT_SECONDS: values.seconds,
  KEEPWATCH_TEST_SEED: values.seed,
  KEEPWATCH_TEST_MONITORS: values.monitors,
  KEEPWATCH_TEST_MASS: values.mass,
  KEEPWATCH_TEST_MASS_INTERVAL: values['mass-interval'],
  KEEPWATCH_STEADY: values.steady,
  KEEPWATCH_TEST_FAULT_REPORT: values.json === undefined ? undefined : resolve(values.json),
};
for (const [name, value] of Object.entries(settings))
  if (value !== undefined) process.env[name] = value;
process.exit(
  await runNode([
    packageFile('jest', 'bin', 'jest.js'),
    '--config',
    join(root, 'test', 'faults', 'jest.config.cjs'),
    '--runInBand',
    '--forceExit',
  ]),
);
