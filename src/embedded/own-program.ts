/** How the programs of this build are started as children of all-in-one. */
import { join } from 'node:path';

// The same folder from `dist/embedded` and, under jest, from `src/embedded`.
const DIST = join(__dirname, '..', '..', 'dist');

/** What `spawn` needs. */
export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
}

/** Runs one of our programs, named by its path below `dist` without `.js`. */
export function callOwnProgram(name: string, args: readonly string[] = []): ProgramCall {
  return { command: process.execPath, args: [join(DIST, `${name}.js`), ...args] };
}

/** Runs one of our programs that knows nothing of a parent, so that it still ends with it. */
export function callFollowingProgram(name: string, args: readonly string[]): ProgramCall {
  const preload = ['--require', join(DIST, 'embedded', 'follow-parent.js')];
  return { command: process.execPath, args: [...preload, join(DIST, `${name}.js`), ...args] };
}

/** Runs a program that is not ours, so that it ends with its parent. */
export function callForeignProgram(path: string, args: readonly string[]): ProgramCall {
  return callOwnProgram('embedded/run-foreign', [path, ...args]);
}
