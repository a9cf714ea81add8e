/**
 * Code that the programs of all roles share: prints invalid settings as sentences, and waits for dependencies at the
 * start.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logger';
import { readVersion } from './version';

const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 10_000;
const EXIT_UNUSABLE = 2;
/** Names of errors that are printed as a sentence without a stack, because the operator can fix them. */
const SAID_IN_SENTENCES: ReadonlySet<string> = new Set([
  'SettingsError',
  'UnfitServerError',
  'UnreachableServerError',
]);

/** Logs the first line of a process: its release and its Node version. */
export function announceStart(logger: Logger): void {
  logger.info({ release: readVersion(), node: process.versions.node }, 'starting');
}

/** Repeats the call until it succeeds. Logs a line for every failure. */
export async function retryUntilUp<Result>(
  { what, logger }: { readonly what: string; readonly logger: Logger },
  connect: () => Promise<Result>,
): Promise<Result> {
  for (let waitMs = BACKOFF_FIRST_MS; ; waitMs = Math.min(waitMs * 2, BACKOFF_MAX_MS)) {
    try {
      return await connect();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.warn({ reason, retryInMs: waitMs }, `${what} does not respond`);
    }
    await sleep(waitMs);
  }
}

/** For programs that people run: prints an unhandled error as one sentence, and ends the process with exit code 1. */
export function printUnhandledErrors(): void {
  process.on('uncaughtException', (error) => {
    console.error(`Unexpected error: ${error.message}`);
    process.exit(1);
  });
}

/**
 * Ends the process after a failure. If the operator can fix it, prints a sentence (exit code 2). Prints any other error
 * with its stack (exit code 1).
 */
export function endOnFailure(error: unknown): never {
  const isSaid = error instanceof Error && SAID_IN_SENTENCES.has(error.name);
  console.error(isSaid ? error.message : error);
  process.exit(isSaid ? EXIT_UNUSABLE : 1);
}
