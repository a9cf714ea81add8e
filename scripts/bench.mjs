// `npm run bench -- NAME [arguments]`: builds what is out of date, compiles the benchmarks into `dist/bench`, and runs
// bench/NAME.ts. Without a name, lists the benchmarks.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { captureNode, packageFile, runNode } from './run-step.mjs';

const names = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => basename(file, '.ts'));
const [name, ...rest] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
  console.error(`Usage: npm run bench -- NAME\nNAME is one of: ${names.join(', ')}`);
  process.exit(2);
}
await ensureInstalled();
await ensureBuilt();
const out = join(root, 'dist', 'bench');
const { code, output } = await captureNode([
  packageFile('typescript', 'bin', 'tsc'),
  '-p',
  'tsconfig.json',
  '--noEmit',
  'false',
  '--incremental',
  'false',
  '--outDir',
  out,
]);
if (code !== 0) {
  console.error(`${output}\nThe benchmarks do not compile.`);
  process.exit(1);
}
process.exit(await runNode([join(out, 'bench', `${name}.js`), ...rest]));
