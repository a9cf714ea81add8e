/**
 * Bundles the compiled workflows into one file, so that an orchestrator starts without a bundler. Run as `node
 * dist/temporal/build-workflow-bundle.js OUT`.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { FAILURE_CONVERTER_PATH } from './data-converter';

const WORKFLOWS_PATH = join(__dirname, '..', 'workflows', 'index.js');
const SHORTEN_STACKS = join(__dirname, '..', 'workflows', 'shorten-stacks.js');
const WORKFLOW_INTERCEPTORS = ['carry-trace.js', 'note-failures.js', 'queue-activities.js'].map(
  (file) => join(__dirname, '..', 'workflows', file),
);

const DEVTOOL = 'inline-nosources-cheap-module-source-map';

/**
 * Escapes all characters outside of ASCII. A single character beyond Latin-1 would make V8 store the whole text with
 * two bytes per character.
 */
function inAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Writes the bundle to `outPath`. Either the whole file is written or nothing. */
export async function main(outPath: string): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: WORKFLOWS_PATH,
    workflowInterceptorModules: WORKFLOW_INTERCEPTORS,
    // All workflows in memory share one copy of the code, so no module may store state.
    preloadModules: [SHORTEN_STACKS, WORKFLOWS_PATH, ...WORKFLOW_INTERCEPTORS],
    failureConverterPath: FAILURE_CONVERTER_PATH,
    // Stack traces need names and lines. Source texts and columns would need memory without a benefit.
    webpackConfigHook: (config) => ({ ...config, devtool: DEVTOOL }),
    logger: new DefaultLogger('WARN'),
  });
  await mkdir(dirname(outPath), { recursive: true });
  const partPath = `${outPath}.${process.pid}.part`;
  await writeFile(partPath, inAscii(code));
  await rename(partPath, outPath);
}

if (require.main === module) {
  const outPath = process.argv[2];
  if (outPath === undefined) throw new Error('usage: build-workflow-bundle OUT');
  main(outPath).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
