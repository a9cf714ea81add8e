/** Runs a command of the user with the same streams, and answers with its exit code. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { reasonOf, usageError } from './cli-error';
import type { Session } from './session';

/** What shells answer for a command that a signal ended. */
const SIGNAL_BASE = 128;
/** What shells answer for a command that there is not. */
const NOT_FOUND = 127;

/** A terminal sends these to every program in front. A second one makes many give up at once. */
const FROM_KEYBOARD: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

/**
 * Signals that ask us to end reach the command, once each, so that what follows its end is still
 * done here.
 */
export async function runCommand(
  { environment, stdin, stderr }: Pick<Session, 'environment' | 'stdin' | 'stderr'>,
  program: string,
  parameters: readonly string[],
): Promise<number> {
  const child = spawn(program, parameters, { stdio: 'inherit', env: { ...environment } });
  const handOn = (signal: NodeJS.Signals): void => {
    const isThereAlready = FROM_KEYBOARD.includes(signal) && stdin.isTTY === true;
    if (!isThereAlready) child.kill(signal);
  };
  const signals: readonly NodeJS.Signals[] = [...FROM_KEYBOARD, 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, handOn);
  try {
    return await new Promise<number>((resolve) => {
      child.once('error', (error) => {
        stderr.write(
          `keepwatch: ${usageError(`${program} can not be run: ${reasonOf(error)}`).message}\n`,
        );
        resolve(NOT_FOUND);
      });
      child.once('exit', (code, signal) => resolve(code ?? SIGNAL_BASE + numberOf(signal)));
    });
  } finally {
    for (const signal of signals) process.off(signal, handOn);
  }
}

function numberOf(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}
