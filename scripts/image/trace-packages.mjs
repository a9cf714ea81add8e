// Finds the files of packages that the programs of `dist` can load. Everything else of `node_modules` stays out of the
// image: other platforms, sources, types, documentation, and the compiler of the workflow bundle.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';
import { root } from '../install.mjs';
import { findNativeFiles } from './native-files.mjs';

/** Programs that people run in a container, outside `dist`. */
const SCRIPTS = ['scripts/backup.mjs', 'scripts/restore.mjs'];
/**
 * Files that are not traced: bundles, which already contain their packages, and benchmarks. Without this list, the
 * trace would include them, because a program may start any file of `dist`.
 */
const NOT_TRACED = /^dist\/(?:(?:dashboard|bench|client|cli-package)\/|workflow-bundle\.js$)/;
/**
 * Files that programs of the image do not load. The compiler of workflows is left out, because the image contains the
 * compiled bundle. The worker needs only three files of webpack at its start. Native modules are chosen by
 * findNativeFiles.
 */
const NOT_LOADED =
  /^node_modules\/(?:@temporalio\/core-bridge\/releases\/|webpack\/(?!package\.json$|lib\/index\.js$|lib\/util\/memoize\.js$)|@swc\/|swc-loader\/|source-map-loader\/|terser\/)/;
/** Files that are needed only by people, compilers and debuggers. Licences stay in the image. */
const NOT_READ = /\.(?:d\.[cm]?ts|map|md)$/;

/** Lists programs, files of packages and native modules by paths relative to the checkout. `dist` must be built. */
export async function tracePackages() {
  const programs = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
    .map((name) => `dist/${name}`)
    .filter((name) => name.endsWith('.js') && !NOT_TRACED.test(name));
  const { fileList } = await nodeFileTrace(
    [...programs, ...SCRIPTS].map((name) => join(root, name)),
    {
      base: root,
      ts: false,
      mixedModules: true,
      // The same conditions as in Node itself, from version 20.19 on.
      conditions: ['node', 'module-sync'],
      ignore: (path) => NOT_LOADED.test(path) || NOT_TRACED.test(path),
    },
  );
  const files = new Set([...fileList, ...findNativeFiles()]);
  return [...files].filter((name) => !NOT_READ.test(name) && existsSync(join(root, name)));
}
