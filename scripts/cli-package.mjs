// `npm run cli-package [-- FOLDER]`: writes the npm package `keepwatch`. The package contains the command line and the
// typed client as separate bundles, without the packages of the servers. The script publishes nothing.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { captureNode, packageFile } from './run-step.mjs';

const CLIENT_RUNTIME = '@oazapfts/runtime';
const BLOB = 'https://github.com/keepwatch/keepwatch/blob/main';

function read(name) {
  return readFileSync(join(root, name), 'utf8');
}

/** Bundles the command line with all its imports. Modules that a command loads later become separate files. */
async function bundleCommandLine(folder) {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: join(root, 'src', 'cli', 'main.ts'),
      outDir: join(folder, 'dist', 'cli'),
      target: 'node20',
      minify: false,
      license: { fileName: 'THIRD-PARTY-LICENSES.md' },
      // All files are in one folder, because the code reads the version from a path relative to its file.
      rolldownOptions: {
        output: { format: 'cjs', entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
}

/** Copies the generated client, and the package that the client and its types import. */
async function copyClient(folder) {
  const { code, output } = await captureNode([join(root, 'scripts', 'client.mjs')]);
  if (code !== 0) throw new Error(output);
  cpSync(join(root, 'dist', 'client'), join(folder, 'dist', 'client'), { recursive: true });
  cpSync(packageFile(CLIENT_RUNTIME), join(folder, 'node_modules', CLIENT_RUNTIME), {
    recursive: true,
  });
}

function describePackage() {
  const { name, version, description, license, engines, bin, exports, dependencies } = JSON.parse(
    read('package.json'),
  );
  return {
    name,
    version,
    description,
    license,
    homepage: 'https://github.com/keepwatch/keepwatch',
    repository: { type: 'git', url: 'git+https://github.com/keepwatch/keepwatch.git' },
    type: 'commonjs',
    engines,
    bin,
    exports,
    files: ['dist', 'examples'],
    dependencies: { [CLIENT_RUNTIME]: dependencies[CLIENT_RUNTIME] },
    // The runtime of the client is bundled, so that the installation needs no other package.
    bundleDependencies: [CLIENT_RUNTIME],
  };
}

/** Renders the page of the command line with links that work outside the checkout. */
function renderReadme() {
  return read('docs/cli.md').replaceAll(
    /\]\((?!https?:|#)(?:\.\.\/)?([^)]+)\)/g,
    (whole, target) => {
      const isAbove = whole.startsWith('](../');
      return `](${BLOB}/${isAbove ? '' : 'docs/'}${target})`;
    },
  );
}

await ensureInstalled();
await ensureBuilt();
const folder = resolve(process.argv[2] ?? join(root, 'dist', 'cli-package'));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await Promise.all([bundleCommandLine(folder), copyClient(folder)]);
for (const name of ['LICENSE', 'examples'])
  cpSync(join(root, name), join(folder, name), { recursive: true });
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(describePackage(), null, 2)}\n`);
writeFileSync(join(folder, 'README.md'), renderReadme());
