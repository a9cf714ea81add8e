/** Starts programs of this build as children of all-in-one. */
import { join } from 'node:path';

// The same folder from `dist/embedded` and, under jest, from `src/embedded`.
const DIST = join(__dirname, '..', '..', 'dist');

/** Without this, V8 lets a small heap grow to four times its live size. `NODE_OPTIONS` does not accept this option. */
const SMALL_HEAP = '--heap-growing-percent=20';

/**
 * Programs for which a small heap showed no CPU cost. Not the API and the database: their requests would take twice the
 * CPU.
 */
const EVEN_WORK: ReadonlySet<string> = new Set(['main/orchestrator', 'main/probe']);

/** The arguments of `spawn`. */
export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
}

/** `name`: path below `dist` without `.js`. */
export function callOwnProgram(name: string, args: readonly string[] = []): ProgramCall {
  const options = EVEN_WORK.has(name) ? [SMALL_HEAP] : [];
  return { command: process.execPath, args: [...options, join(DIST, `${name}.js`), ...args] };
}

/** Runs a program of ours so that it exits with its parent. */
export function callFollowingProgram(name: string, args: readonly string[]): ProgramCall {
  const { command, args: call } = callOwnProgram(name, args);
  return { command, args: ['--require', join(DIST, 'embedded', 'follow-parent.js'), ...call] };
}

/** Runs a third-party program so that it exits with its parent. */
export function callForeignProgram(path: string, args: readonly string[]): ProgramCall {
  return callOwnProgram('embedded/run-foreign', [path, ...args]);
}
