// `npm run helm`: builds Helm and Kubernetes' own validator with Go, renders the chart with each example and checks it
// against the settings and the rules of operation. `npm test` does not run it, because it needs Go. If Go is missing,
// the error says so.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, root } from './install.mjs';
import { packageFile, runNode } from './run-step.mjs';

/** Program → the pinned Go module that it is built from. */
const PROGRAMS = {
  helm: { module: 'helm.sh/helm/v3/cmd/helm', version: 'v3.19.0' },
  validate: { module: 'sigs.k8s.io/kubectl-validate', version: 'v0.0.4' },
};

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Builds a program once per version. This takes some minutes on two cores. */
function build({ module, version }) {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const name = module.split('/').at(-1);
  const folder = join(base, 'keepwatch', `${name}-${version}`);
  const file = join(folder, name);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  console.log(`Building ${module}@${version}; the first time takes some minutes.`);
  const { error, status } = spawnSync('go', ['install', `${module}@${version}`], {
    env: { ...process.env, GOBIN: folder },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error !== undefined)
    fail('Go is needed to build Helm: install it (https://go.dev/dl) and try again.');
  if (status !== 0) fail(`${module}@${version} could not be built.`);
  return file;
}

await ensureInstalled();
const built = Object.entries(PROGRAMS).map(([name, program]) => [name, build(program)]);
process.env.KEEPWATCH_HELM_PROGRAMS = JSON.stringify(Object.fromEntries(built));
process.exit(
  await runNode([
    packageFile('jest', 'bin', 'jest.js'),
    '--config',
    join(root, 'test', 'helm', 'jest.config.cjs'),
    ...process.argv.slice(2),
  ]),
);
