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
 * Bundles that contain their packages, and benchmarks. A program may start any file of `dist`, so the trace finds them,
 * too.
 */
const NOT_TRACED = /^dist\/(?:(?:dashboard|bench|client|cli-package)\/|workflow-bundle\.js$)/;
/**
 * The compiler of workflows. The worker loads the first two files of webpack at its start, and the other files only
 * when it compiles. The image contains the compiled bundle. findNativeFiles chooses the native modules of this system.
 */
const NOT_LOADED =
  /^node_modules\/(?:@temporalio\/core-bridge\/releases\/|webpack\/(?!package\.json$|lib\/index\.js$|lib\/util\/memoize\.js$)|@swc\/|swc-loader\/|source-map-loader\/|terser\/)/;
/** What only people, compilers and debuggers read; licences stay. */
const NOT_READ = /\.(?:d\.[cm]?ts|map|md)$/;

/** Paths relative to the checkout: programs, files of packages, native modules. `dist` must be built. */
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
      // As Node itself resolves packages, from 20.19 on.
      conditions: ['node', 'module-sync'],
      ignore: (path) => NOT_LOADED.test(path) || NOT_TRACED.test(path),
    },
  );
  const files = new Set([...fileList, ...findNativeFiles()]);
  return [...files].filter((name) => !NOT_READ.test(name) && existsSync(join(root, name)));
}
