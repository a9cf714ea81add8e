/** Reads and writes files, and explains in plain words why that failed. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type CliError, formatReason, usageError } from '../cli-error';

/** Returns the bytes of the file. Throws a usage error with the shown name. */
export function readBytes(file: string, shown: string = file): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw fileError(shown, 'read', error);
  }
}

/** Writes the file, and creates missing folders. Throws a usage error if that fails. */
export function writeText(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw fileError(file, 'written', error);
  }
}

/** Creates the usage error for a file that could not be accessed. `use` completes “cannot be …”. */
export function fileError(shown: string, use: string, error: unknown): CliError {
  const code = readCode(error);
  if (code === 'ENOENT') return usageError(`${shown} does not exist.`);
  if (code === 'EISDIR') return usageError(`${shown} is a folder.`);
  return usageError(`${shown} cannot be ${use}: ${describeSystemError(error)}.`);
}

/** Returns the reason without the code and the system call. Node's message is `EACCES: permission denied, open 'a'`. */
export function describeSystemError(error: unknown): string {
  if (readCode(error) === 'ENOENT') return 'it does not exist';
  const message = formatReason(error);
  return /^[A-Z0-9]+: (.+?), \w+/.exec(message)?.[1] ?? message;
}

function readCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
