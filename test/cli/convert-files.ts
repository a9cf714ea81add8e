/** Runs an import on files in the folder `files`. For texts without a file, see convert.ts. */
import { join } from 'node:path';
import { converted } from './convert';
import { onTerminal } from './terminal';

export const files = join(__dirname, 'files');

/**
 * Returns the definitions and the messages, one per line. Paths are relative to `files`, or
 * absolute.
 */
export async function convert(tool: string, ...paths: readonly string[]) {
  const named = paths.map((path) => (path.startsWith('/') ? path : join(files, path)));
  const parameters = ['import', tool, ...named, '--output', 'json'];
  return converted(await onTerminal(parameters, { isTerminal: false }));
}
