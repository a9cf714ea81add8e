/** Runs a command of the user with the same streams, and returns its exit code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { reasonOf } from '../cli-error';
import type { Session } from '../session';
import { passOutput } from './pass-output';

/** What shells return for a command that a signal ended. */
const SIGNAL_BASE = 128;
/** What shells return for a command that there is not. */
const NOT_FOUND = 127;

/** A terminal sends these to every program in front. A second one makes many give up at once. */
const FROM_KEYBOARD: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

export interface CommandLine {
  readonly program: string;
  readonly parameters: readonly string[];
  /**
   * Hears what the command writes, which then reaches our streams through pipes. Without it the command
   * has our streams themselves.
   */
  readonly hear?: ((chunk: Buffer) => void) | undefined;
}

type Streams = Pick<Session, 'environment' | 'stdin' | 'stdout' | 'stderr'>;

/**
 * Signals that ask us to end reach the command, once each, so that what follows its end is still
 * done here.
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
  // Before the command begins: people may see it, and press Ctrl-C, before the call that begins it returns.
  for (const signal of signals) process.on(signal, handOn);
  try {
    const begun = spawn(program, parameters, {
      stdio: hear === undefined ? 'inherit' : ['inherit', 'pipe', 'pipe'],
      env: { ...environment },
    });
    child = begun;
    const drained = hear === undefined ? null : passOutput(begun, streams, hear);
    const exitCode = await endOf(begun, (error) => {
      const line = `keepwatch: ${program} cannot be run: ${reasonOf(error)}\n`;
      stderr.write(line);
      hear?.(Buffer.from(line));
    });
    await drained?.();
    return exitCode;
  } finally {
    for (const signal of signals) process.off(signal, handOn);
  }
}

function endOf(child: ChildProcess, onFault: (error: Error) => void): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      onFault(error);
      resolve(NOT_FOUND);
    });
    child.once('exit', (code, signal) => resolve(code ?? SIGNAL_BASE + numberOf(signal)));
  });
}

function numberOf(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}
