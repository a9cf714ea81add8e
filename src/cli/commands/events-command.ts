/** `events`: prints changes as they happen, until the command is stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { CliError, EXIT_CODES, usageError } from '../cli-error';
import { parseDuration } from '../durations';
import { readEvents } from '../events/event-stream';
import { type Change, type ChangeText, changeShape, createChangeText } from '../events/event-text';
import { parseJsonOrText } from '../json-or-text';
import { formatData } from '../output';
import { type Cli, type ExitStatus, runInSession, type Session } from '../session';

const PAUSE_MAX_MS = 15_000;
const PAUSE_MS = 500;

interface EventsOptions {
  readonly kind?: string;
  readonly count?: string;
  readonly for?: string;
}

export function addEventsCommand(program: Command, cli: Cli): void {
  program
    .command('events')
    .description('Follow changes; with --output json, one JSON object per line')
    .option('--kind <kind>', 'only monitor, scenario, run, incident, post or definition')
    .option('--count <count>', 'stop after this many changes')
    .option('--for <duration>', 'stop after this time')
    .action((options: EventsOptions, command: Command) =>
      runInSession(cli, command, (session) => follow(session, options)),
    );
}

interface Bounds {
  readonly kind: string | undefined;
  readonly countMax: number;
  readonly textOf: ChangeText;
  readonly signal: AbortSignal;
}

async function follow(session: Session, options: EventsOptions): ExitStatus {
  const countMax = options.count === undefined ? Number.POSITIVE_INFINITY : Number(options.count);
  if (!(countMax >= 1))
    throw usageError(`--count ${options.count ?? ''} is not a number of events.`);
  const stop = new AbortController();
  const timer =
    options.for === undefined
      ? undefined
      : setTimeout(() => stop.abort(), parseDuration(options.for));
  const end = (): void => stop.abort();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  try {
    const textOf = createChangeText(session);
    await followOn(session, { kind: options.kind, countMax, textOf, signal: stop.signal });
  } finally {
    clearTimeout(timer);
    stop.abort();
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
  }
  return undefined;
}

/**
 * Shows the events of the stream. After an interruption, opens the stream again, after longer and longer waits. If the
 * service refuses the stream, or if the first connection fails, the command ends.
 */
async function followOn(session: Session, bounds: Bounds): Promise<void> {
  let shown = 0;
  for (let failures = 0; !bounds.signal.aborted && shown < bounds.countMax; failures += 1) {
    const before = shown;
    try {
      shown += await showStream(session, { ...bounds, countMax: bounds.countMax - shown });
    } catch (error) {
      if (bounds.signal.aborted) return;
      const isLost = !(error instanceof CliError) || error.exitCode === EXIT_CODES.notReached;
      if (failures === 0 || !isLost) throw error;
      session.output.note('The stream was interrupted. Reconnecting …');
    }
    if (shown > before) failures = 1;
    const pauseMs = Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** failures);
    if (shown < bounds.countMax)
      await sleep(pauseMs, undefined, { signal: bounds.signal }).catch(() => undefined);
  }
}

/** Returns the number of events shown before the stream ended or the limit was reached. */
async function showStream(session: Session, bounds: Bounds): Promise<number> {
  let shown = 0;
  for await (const change of streamChanges(session, bounds)) {
    await show(session, change, bounds.textOf);
    shown += 1;
    if (shown >= bounds.countMax) break;
  }
  return shown;
}

async function* streamChanges(session: Session, { kind, signal }: Bounds): AsyncGenerator<Change> {
  const headers = { accept: 'text/event-stream' };
  const response = await session.client().open('v1/events', headers, signal);
  if (response.body === null) return;
  for await (const { data } of readEvents(response.body)) {
    const parsed = changeShape.safeParse(parseJsonOrText(data));
    if (parsed.success && (kind === undefined || parsed.data.kind === kind)) yield parsed.data;
  }
}

async function show(
  { output, stdout, now }: Session,
  change: Change,
  textOf: ChangeText,
): Promise<void> {
  const at = new Date(now()).toISOString();
  if (output.format === 'json') stdout.write(`${JSON.stringify({ at, ...change })}\n`);
  else if (output.format === 'yaml')
    stdout.write(`---\n${formatData('yaml', { at, ...change })}\n`);
  else stdout.write(`${await textOf(at, change)}\n`);
}
