// `npm run cluster`: builds a full Temporal server with Go, starts it on PostgreSQL as docker-compose.prod.yml does,
// runs the production services on it and kills each part in turn. `npm test` does not run it, because it needs Go and
// PostgreSQL. If either is missing, the error names it.
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { findClusterPrograms } from './cluster-programs.mjs';
import { ensureInstalled, root } from './install.mjs';
import { packageFile, runNode } from './run-step.mjs';

await ensureInstalled();
await ensureBuilt();
process.env.KEEPWATCH_CLUSTER_PROGRAMS = findClusterPrograms();
// Sets longer time limits for waits, because a cluster takes long to start.
process.env.KEEPWATCH_TEST_LONG = 'on';
process.exit(
  await runNode([
    packageFile('jest', 'bin', 'jest.js'),
    '--config',
    join(root, 'test', 'cluster', 'jest.config.cjs'),
    '--runInBand',
    ...process.argv.slice(2),
  ]),
);
