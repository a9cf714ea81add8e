/**
 * Bundles the workflows of the current sources once. Every suite of every run reads the same file until a source
 * changes. Contains no tests.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { installOnce } from '../../src/embedded/install-once';
import { createProgress } from '../../src/embedded/progress';

const ROOT = join(__dirname, '..', '..');
const CACHE = join(ROOT, 'node_modules', '.cache', 'keepwatch-workflows');
const BUNDLE = 'bundle.js';
/** Our own folders that the workflows may import. */
const SOURCES = ['workflows', 'domain', 'contracts'].map((name) => join(ROOT, 'src', name));
const WORKFLOWS = join(ROOT, 'src', 'workflows', 'index.ts');
const PRELOADED = join(ROOT, 'src', 'workflows', 'shorten-stacks.ts');
/** The interceptors of the service, and one more interceptor. With it, the replay test makes an incompatible change. */
const INTERCEPTORS = [
  join(ROOT, 'src', 'workflows', 'carry-trace.ts'),
  join(ROOT, 'src', 'workflows', 'note-failures.ts'),
  join(ROOT, 'src', 'workflows', 'queue-activities.ts'),
  join(ROOT, 'test', 'replay', 'careless-change.ts'),
];

let bundle: Promise<{ code: string }> | undefined;

/** Returns the bundle. The first caller, in any process, builds it. */
export function readWorkflowBundle(): Promise<{ code: string }> {
  bundle ??= installBundle();
  return bundle;
}

async function installBundle(): Promise<{ code: string }> {
  const path = await installOnce({
    folder: join(CACHE, hashSources()),
    executable: BUNDLE,
    fill: async (folder) => writeFile(join(folder, BUNDLE), await build()),
    progress: createProgress(process.stderr),
  });
  return { code: await readFile(path, 'utf8') };
}

async function build(): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    workflowInterceptorModules: INTERCEPTORS,
    // Preloads the modules as the service does. So a workflow sees state that another workflow has left in a module.
    preloadModules: [PRELOADED, WORKFLOWS, ...INTERCEPTORS],
    logger: new DefaultLogger('ERROR'),
  });
  return code;
}

function hashSources(): string {
  const listed = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const sdk = require.resolve('@temporalio/worker/package.json');
  const hash = createHash('sha256');
  for (const file of [...listed.toSorted(), ...INTERCEPTORS, __filename, sdk])
    hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}
