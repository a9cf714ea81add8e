// `npm run client`: generates the typed client in dist/client from the API's own description. Programs import the
// client as `keepwatch/client`. The script needs a finished build.
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './install.mjs';
import { captureNode, packageFile } from './run-step.mjs';

const require = createRequire(import.meta.url);
const { createServedDocument } = require('../dist/api/openapi/document.js');
const { ROUTES } = require('../dist/api/v1/route-table.js');
const { readVersion } = require('../dist/platform/version.js');

/** The URL that the client uses by default. It is the URL at which `npm start` serves. */
const PUBLIC_URL = 'http://localhost:3000';
const folder = join(root, 'dist', 'client');
const description = join(folder, 'openapi.json');
const source = join(folder, 'index.ts');

async function run(...args) {
  const { code, output } = await captureNode(args);
  if (code === 0) return;
  console.error(`The client cannot be generated: ${args[0]} failed.\n${output}`);
  process.exit(1);
}

mkdirSync(folder, { recursive: true });
const document = createServedDocument({
  routes: ROUTES,
  version: readVersion(),
  publicUrl: PUBLIC_URL,
});
writeFileSync(description, JSON.stringify(document));
await run(join(dirname(require.resolve('oazapfts')), 'cli.cjs'), description, source);
appendFileSync(source, "export { HttpError, ok } from '@oazapfts/runtime';\n");
const emit =
  '--strict --declaration --target es2022 --lib es2023,dom --module nodenext --ignoreConfig';
const types = ['--typeRoots', packageFile('@types')];
await run(packageFile('typescript', 'bin', 'tsc'), ...emit.split(' '), ...types, source);
for (const file of [description, source]) rmSync(file);
