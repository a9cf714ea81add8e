/** Starts programs of this build as children of all-in-one. */
import { join } from 'node:path';

// The folder of the build. The path is the same from `dist/embedded` and, under jest, from
// `src/embedded`.
const DIST = join(__dirname, '..', '..', 'dist');

/**
 * Keeps the heap small. Without this option, V8 lets a small heap grow to four times its live size. The option cannot
 * be set through `NODE_OPTIONS`.
 */
const SMALL_HEAP = '--heap-growing-percent=20';

/**
 * Programs that need no more CPU with a small heap. The API and the database are not in the list, because their
 * requests would need twice the CPU.
 */
const EVEN_WORK: ReadonlySet<string> = new Set(['main/orchestrator', 'main/probe']);

/** The command and arguments for `spawn`. */
export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Returns the command and arguments that start a program of this build. `name` is the path below `dist` without `.js`.
 */
export function callOwnProgram(name: string, args: readonly string[] = []): ProgramCall {
  const options = EVEN_WORK.has(name) ? [SMALL_HEAP] : [];
  return { command: process.execPath, args: [...options, join(DIST, `${name}.js`), ...args] };
}

/**
 * Returns the command and arguments that start a program of this build. The program exits when its parent has ended.
 */
export function callFollowingProgram(name: string, args: readonly string[]): ProgramCall {
  const { command, args: call } = callOwnProgram(name, args);
  return { command, args: ['--require', join(DIST, 'embedded', 'follow-parent.js'), ...call] };
}

/** Returns the command and arguments that start a third-party program. The program exits when its parent has ended. */
export function callForeignProgram(path: string, args: readonly string[]): ProgramCall {
  return callOwnProgram('embedded/run-foreign', [path, ...args]);
}
