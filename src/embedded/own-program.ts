/** How the programs of this build are started as children of all-in-one. */
import { join } from 'node:path';

// The same folder from `dist/embedded` and, under jest, from `src/embedded`.
const DIST = join(__dirname, '..', '..', 'dist');

/**
 * V8 lets a small heap grow to up to four times what is alive in it before it collects all of it, and our
 * processes would keep that for good. `NODE_OPTIONS` does not take this option.
 */
const SMALL_HEAP = '--heap-growing-percent=20';

/**
 * Those whose work comes evenly, where no cost of CPU was seen. Not what answers requests: with it a list of
 * 100 monitors costs the API 40 ms of CPU instead of 20, and the database 6 instead of 3, beside other work.
 */
const EVEN_WORK: ReadonlySet<string> = new Set(['main/orchestrator', 'main/probe']);

/** What `spawn` needs. */
export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
}

/** Runs one of our programs, named by its path below `dist` without `.js`. */
export function callOwnProgram(name: string, args: readonly string[] = []): ProgramCall {
  const options = EVEN_WORK.has(name) ? [SMALL_HEAP] : [];
  return { command: process.execPath, args: [...options, join(DIST, `${name}.js`), ...args] };
}

/** Runs one of our programs that knows nothing of a parent, so that it still ends with it. */
export function callFollowingProgram(name: string, args: readonly string[]): ProgramCall {
  const { command, args: call } = callOwnProgram(name, args);
  return { command, args: ['--require', join(DIST, 'embedded', 'follow-parent.js'), ...call] };
}

/** Runs a program that is not ours, so that it ends with its parent. */
export function callForeignProgram(path: string, args: readonly string[]): ProgramCall {
  return callOwnProgram('embedded/run-foreign', [path, ...args]);
}
