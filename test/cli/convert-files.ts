/** Runs an import on files of `files`. Texts that are no file: convert.ts. */
import { join } from 'node:path';
import { converted } from './convert';
import { onTerminal } from './terminal';

export const files = join(__dirname, 'files');

/** The definitions, and what was told, one line each. Paths are those of `files`, or whole. */
export async function convert(tool: string, ...paths: readonly string[]) {
  const named = paths.map((path) => (path.startsWith('/') ? path : join(files, path)));
  const parameters = ['import', tool, ...named, '--output', 'json'];
  return converted(await onTerminal(parameters, { isTerminal: false }));
}
