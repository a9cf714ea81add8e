/** Starts programs of this build as children of all-in-one. */
import { join } from 'node:path';

// The same folder from `dist/embedded` and, under jest, from `src/embedded`.
const DIST = join(__dirname, '..', '..', 'dist');

/**
 * V8 lets a small heap grow to up to four times its live size before a full collection, and our processes
 * would never return that memory. `NODE_OPTIONS` does not accept this option.
 */
const SMALL_HEAP = '--heap-growing-percent=20';

/**
 * Programs with an even load, for which a small heap showed no CPU cost. Programs that serve requests are not among
 * them: under other load, a list of 100 monitors would cost the API 40 ms of CPU instead of 20, and the database 6 ms
 * instead of 3.
 */
const EVEN_WORK: ReadonlySet<string> = new Set(['main/orchestrator', 'main/probe']);

/** The arguments of `spawn`. */
export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
}

/** Runs one of our programs, named by its path below `dist` without `.js`. */
export function callOwnProgram(name: string, args: readonly string[] = []): ProgramCall {
  const options = EVEN_WORK.has(name) ? [SMALL_HEAP] : [];
  return { command: process.execPath, args: [...options, join(DIST, `${name}.js`), ...args] };
}

/** Runs one of our programs that does not watch its parent by itself, so that it still exits with its parent. */
export function callFollowingProgram(name: string, args: readonly string[]): ProgramCall {
  const { command, args: call } = callOwnProgram(name, args);
  return { command, args: ['--require', join(DIST, 'embedded', 'follow-parent.js'), ...call] };
}

/** Runs a third-party program so that it exits with its parent. */
export function callForeignProgram(path: string, args: readonly string[]): ProgramCall {
  return callOwnProgram('embedded/run-foreign', [path, ...args]);
}
