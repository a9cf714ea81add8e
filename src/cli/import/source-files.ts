/** Finds and reads the source files for an import: single files, and the files of whole folders. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { usageError } from '../cli-error';
import { decodeFile } from '../files/decode-file';
import { readBytes } from '../files/file-access';
import type { SourceFile } from './source-module';

const SOURCE = /\.[cm]?[jt]s$/;
const TYPES_ONLY = /\.d\.[cm]?ts$/;
const FILE_BYTES_MAX = 1024 * 1024;
const FILES_MAX = 2_000;

/** True for a folder, or for a file name with a source extension. */
export function isSource(path: string): boolean {
  return SOURCE.test(path) || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

/**
 * Returns the files without duplicates. Files of a folder are sorted by name. Leaves out hidden files, hidden folders
 * and node_modules. Throws a usage error if a path does not exist, or if there are no files or too many.
 */
export function readSources(paths: readonly string[]): readonly SourceFile[] {
  const files = new Set(paths.flatMap((path) => filesAt(path)));
  if (files.size === 0)
    throw usageError(`${paths.join(', ')} contains no TypeScript or JavaScript.`);
  if (files.size > FILES_MAX)
    throw usageError(`More than ${FILES_MAX} files. Name the folder of the checks.`);
  return [...files].map((path) => {
    const shown = relative(process.cwd(), path) || basename(path);
    return { path, shown, text: decodeFile(readBytes(path, shown), shown) };
  });
}

function filesAt(path: string): readonly string[] {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) throw usageError(`${path} does not exist.`);
  const real = realpathSync(path);
  if (facts.isDirectory()) return sourcesIn(real);
  if (facts.size > FILE_BYTES_MAX) throw usageError(`${path} is larger than 1 MiB.`);
  return [real];
}

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sourcesIn(path);
      const isRead = entry.isFile() && SOURCE.test(path) && !TYPES_ONLY.test(path);
      return isRead && statSync(path).size <= FILE_BYTES_MAX ? [path] : [];
    });
}
