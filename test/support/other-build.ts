/** Creates a copy of the compiled service with changed workflows. It simulates another release or a faulty one. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
/** Matches the start of each check of a monitor, in the bundle. */
const CHECK_BEGINS = /async function runCheck\(context, check\) \{\n/;

export interface OtherBuild {
  /** The folder that contains `main/orchestrator.js`. */
  readonly folder: string;
  readonly remove: () => void;
}

/**
 * Creates the copy.
 *
 * @param statement a JavaScript statement that runs before each check on the full path. It may use `_workflow`.
 */
export function makeOtherBuild(release: string, statement: string): OtherBuild {
  const copy = mkdtempSync(join(tmpdir(), 'keepwatch-build-'));
  const folder = join(copy, 'dist');
  const dashboard = join(root, 'dist', 'dashboard');
  cpSync(join(root, 'dist'), folder, { recursive: true, filter: (path) => path !== dashboard });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ version: release }));
  const bundle = join(folder, 'workflow-bundle.js');
  const code = readFileSync(bundle, 'utf8');
  if (!CHECK_BEGINS.test(code)) throw new Error('the bundle has no runCheck');
  writeFileSync(
    bundle,
    code.replace(CHECK_BEGINS, (begin) => `${begin}    ${statement};\n`),
  );
  return { folder, remove: () => rmSync(copy, { recursive: true, force: true }) };
}
