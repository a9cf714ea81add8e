/** Runs a user's command with the same streams, and returns its exit code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { describeSystemError } from '../files/file-access';
import type { Session } from '../session';
import { passOutput } from './pass-output';

/** If a signal ended a command, shells return this number plus the number of the signal. */
const SIGNAL_BASE = 128;
/** The exit code with which shells report an unknown command. */
const NOT_FOUND = 127;

/**
 * Signals that a terminal sends to every foreground program, including the command. In a terminal, these signals are
 * not passed on, because many programs stop immediately after a second signal.
 */
const FROM_KEYBOARD: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

export interface CommandLine {
  readonly program: string;
  readonly parameters: readonly string[];
  /** Called with each chunk of the output. If absent, the command uses our streams directly. */
  readonly hear?: ((chunk: Buffer) => void) | undefined;
}

type Streams = Pick<Session, 'environment' | 'stdin' | 'stdout' | 'stderr'>;

/**
 * Runs the command and returns its exit code. Passes on every signal that the terminal has not already sent to the
 * command. This process continues until the command has ended.
 */
export async function runCommand(
  streams: Streams,
  { program, parameters, hear }: CommandLine,
): Promise<number> {
  const { environment, stdin, stderr } = streams;
  let child: ChildProcess | undefined;
  const handOn = (signal: NodeJS.Signals): void => {
    const isThereAlready = FROM_KEYBOARD.includes(signal) && stdin.isTTY === true;
    if (!isThereAlready) child?.kill(signal);
  };
  const signals: readonly NodeJS.Signals[] = [...FROM_KEYBOARD, 'SIGTERM', 'SIGHUP'];
  // The handlers are added before `spawn`, because the user may see the command's output and press
  // Ctrl-C before `spawn` returns.
  for (const signal of signals) process.on(signal, handOn);
  try {
    const begun = spawn(program, parameters, {
      stdio: hear === undefined ? 'inherit' : ['inherit', 'pipe', 'pipe'],
      env: { ...environment },
    });
    child = begun;
    const drained = hear === undefined ? null : passOutput(begun, streams, hear);
    const exitCode = await awaitEnd(begun, (error) => {
      const line = `keepwatch: ${program} cannot be run: ${describeSystemError(error)}.\n`;
      stderr.write(line);
      hear?.(Buffer.from(line));
    });
    await drained?.();
    return exitCode;
  } finally {
    for (const signal of signals) process.off(signal, handOn);
  }
}

function awaitEnd(child: ChildProcess, onFault: (error: Error) => void): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      onFault(error);
      resolve(NOT_FOUND);
    });
    child.once('exit', (code, signal) => resolve(code ?? SIGNAL_BASE + findNumber(signal)));
  });
}

function findNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}
