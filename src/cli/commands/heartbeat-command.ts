/** `heartbeat`: runs a job and reports it. A failed report never changes the job or its exit code. */

import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { startTimeLimit } from '../../platform/time-limit';
import { parseDuration } from '../durations';
import { createPingUrlFinder, formatTarget } from '../jobs/find-ping-url';
import { type Report, reportPing } from '../jobs/report-ping';
import { runCommand } from '../jobs/run-command';
import { replaceControls } from '../paint';
import { createFetch } from '../proxied-fetch';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';

/** Time limit for reporting the start. A report that arrives later would make the run look shorter than it is. */
const START_MS = 10_000;
/** How long the report of the start may still take after the job has ended. */
const START_AFTER_END_MS = 2_000;
/**
 * Number of bytes of the job's output that are sent. This is twice the size that the service stores. The service
 * removes secrets before it cuts the text, because it could not recognize half a secret.
 */
const TEXT_BYTES = 20 * 1_024;
const EXIT_CODE_MAX = 255;

interface Job {
  readonly reference: string;
  readonly words: readonly string[];
  readonly isTextWanted: boolean;
  readonly tryForMs: number;
}

export function addHeartbeatCommand(program: Command, cli: Cli): void {
  program
    .command('heartbeat')
    .description('Run a job, and report its start, exit code and output to a heartbeat')
    .argument('<key>', 'key or id of the monitor, or its ping URL, which needs no API key')
    .argument('<job...>', 'after --, the command to run; its exit code is passed on')
    .option('--no-text', 'send no output; the command keeps its own streams')
    .option('--try-for <time>', 'how long to retry reporting the end', '10m')
    .action(
      (
        reference: string,
        words: string[],
        options: { text: boolean; tryFor: string },
        command: Command,
      ) =>
        runInSession(cli, command, (session) => {
          const tryForMs = parseDuration(options.tryFor);
          return runJob(session, { reference, words, isTextWanted: options.text, tryForMs });
        }),
    );
}

async function runJob(session: Session, job: Job): ExitStatus {
  const [program = '', ...parameters] = job.words;
  const findPingUrl = createPingUrlFinder(session, job.reference);
  const run = { findPingUrl, runId: randomUUID() };
  const userAgent = `keepwatch-cli/${session.version}`;
  const send = createFetch(session.environment);
  const jobEnd = new AbortController();
  const { signal: startLimit } = startTimeLimit(START_MS, jobEnd.signal);
  const start = reportPing(
    { ...run, says: 'start', text: null },
    { userAgent, send, signal: startLimit },
  );
  let text: Buffer = Buffer.alloc(0);
  const hear = (chunk: Buffer): void => {
    text = Buffer.concat([text, chunk]).subarray(-TEXT_BYTES);
  };
  const exitCode = await runCommand(session, {
    program,
    parameters,
    hear: job.isTextWanted ? hear : undefined,
  });
  setTimeout(() => jobEnd.abort(), START_AFTER_END_MS).unref();
  const says = exitCode <= EXIT_CODE_MAX ? String(exitCode) : 'fail';
  const end = { ...run, says, text: text.length === 0 ? null : text };
  await untilSignalled((signal) => reportEnd(session, { start, end, job, signal }));
  return exitCode;
}

interface End {
  /**
   * Resolves with null if the start was reported. Otherwise, resolves with the reason why the start was not reported.
   */
  readonly start: Promise<string | null>;
  readonly end: Report;
  readonly job: Job;
  readonly signal: AbortSignal;
}

/**
 * Reports the end after the start was reported. If the end arrived first, the run would seem to be still in progress.
 */
async function reportEnd(session: Session, { start, end, job, signal }: End): Promise<void> {
  const { stderr, output, version } = session;
  const startFault = await start;
  const limit = startTimeLimit(job.tryForMs, signal);
  const userAgent = `keepwatch-cli/${version}`;
  const send = createFetch(session.environment);
  const fault = await reportPing(end, { userAgent, send, signal: limit.signal });
  limit.clear();
  const name = formatTarget(job.reference);
  if (fault !== null)
    stderr.write(
      replaceControls(
        `keepwatch: the end of the job was not reported to ${name}: ${fault}.`,
      ).concat('\n'),
    );
  else if (startFault !== null)
    output.warn(`The start of the job was not reported to ${name}: ${startFault}.`);
}

const ENDING: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'];

/** Runs the work until it ends or a signal arrives. */
async function untilSignalled(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const asked = new AbortController();
  const stop = (): void => asked.abort();
  for (const signal of ENDING) process.on(signal, stop);
  try {
    await work(asked.signal);
  } finally {
    for (const signal of ENDING) process.off(signal, stop);
  }
}
