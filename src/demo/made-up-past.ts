/**
 * Invents the 90 days before the demo: when the shop was down, and how fast it was. The result is always the same.
 * Pure.
 */
import { computeDuration } from './shop-load';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 90;
/** The number of samples per hour. Each stands for as many checks as a minute has. */
const SAMPLES = 60;
const MINUTE_SECONDS = 60;
/** Average number of days between two outages of a resource. */
const OUTAGE_DAYS = 40;

interface Cause {
  readonly code:
    | 'assertion_failed'
    | 'timeout'
    | 'connection_refused'
    | 'job_failed'
    | 'run_too_long';
  readonly message: string;
}

const CAUSES: readonly Cause[] = [
  { code: 'assertion_failed', message: 'Expected status 2xx, got 503.' },
  { code: 'timeout', message: 'Timed out after 5 s.' },
  { code: 'connection_refused', message: 'The connection was refused.' },
];

/** Failure causes for a job that reports to a heartbeat. */
const JOB_CAUSES: readonly Cause[] = [
  { code: 'job_failed', message: 'Job failed with exit code 1: Two bags of coffee are missing.' },
  { code: 'run_too_long', message: 'The run took longer than 20 s.' },
];

export interface MadeUpHour {
  /** Samples of the response times of checks that passed, in milliseconds. */
  readonly times: readonly number[];
  /** The number of samples that failed. */
  readonly failed: number;
}

export interface MadeUpPast {
  readonly fromMs: number;
  readonly outages: readonly {
    readonly fromMs: number;
    readonly toMs: number;
    readonly cause: Cause;
  }[];
  readonly hours: readonly MadeUpHour[];
  /** The number of checks for which a sample of an hour stands. */
  readonly weight: number;
}

interface MadeUpCheck {
  readonly slotMs: number;
  readonly responseTimeMs: number;
}

export interface PastSubject {
  readonly name: string;
  /** The usual duration of a check at night. */
  readonly usualMs: number;
  /** True for a job, which reports by itself. */
  readonly isJob: boolean;
  /** The interval of the checks, at most a minute. */
  readonly everySeconds: number;
}

/** Invents the past up to the start of the current hour. */
export function makeUpPast(
  { name, usualMs, isJob, everySeconds }: PastSubject,
  nowMs: number,
): MadeUpPast {
  const next = createSequence(name);
  const toMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const fromMs = toMs - DAYS * DAY_MS;
  const outages = makeUpOutages(next, { fromMs, toMs }, isJob ? JOB_CAUSES : CAUSES);
  const hours = Array.from({ length: DAYS * 24 }, (_, index) => {
    const startMs = fromMs + index * HOUR_MS;
    const downMs = outages.reduce((sum, outage) => sum + computeOverlap(outage, startMs), 0);
    const failed = Math.round((downMs / HOUR_MS) * SAMPLES);
    const times = Array.from({ length: SAMPLES - failed }, () =>
      computeDuration(usualMs, startMs, next()),
    );
    return { times, failed };
  });
  return { fromMs, outages, hours, weight: MINUTE_SECONDS / everySeconds };
}

/** Invents single checks, all of which passed. */
export function makeUpChecks(
  { name, usualMs, everySeconds }: PastSubject,
  { fromMs, toMs }: Span,
): readonly MadeUpCheck[] {
  const next = createSequence(name);
  const everyMs = everySeconds * 1_000;
  return Array.from({ length: Math.floor((toMs - fromMs) / everyMs) }, (_, index) => {
    const slotMs = toMs - (index + 1) * everyMs;
    return { slotMs, responseTimeMs: computeDuration(usualMs, slotMs, next()) };
  }).toReversed();
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Invents the outages. Each ends more than a day before the demo starts, so that everything is up at the start. */
function makeUpOutages(
  next: () => number,
  { fromMs, toMs }: Span,
  causes: readonly Cause[],
): MadeUpPast['outages'] {
  const outages = [];
  let atMs = fromMs + next() * OUTAGE_DAYS * DAY_MS;
  while (atMs < toMs - 2 * DAY_MS) {
    const lengthMs = Math.round((2 + next() * 38) * 60_000);
    const cause = causes[Math.floor(next() * causes.length)];
    if (cause === undefined) throw new Error('There are causes.');
    const startMs = Math.round(atMs);
    outages.push({ fromMs: startMs, toMs: startMs + lengthMs, cause });
    atMs += (0.5 + next()) * OUTAGE_DAYS * DAY_MS;
  }
  return outages;
}

function computeOverlap({ fromMs, toMs }: Span, hourMs: number): number {
  return Math.max(0, Math.min(toMs, hourMs + HOUR_MS) - Math.max(fromMs, hourMs));
}

/**
 * Creates a function that returns random numbers from 0 to 1. The same name always gives the same numbers (mulberry32).
 */
function createSequence(name: string): () => number {
  let state = 7;
  for (let at = 0; at < name.length; at += 1) state = Math.imul(state, 31) + name.charCodeAt(at);
  return () => {
    state = Math.imul(state + 0x6d2b79f5, 1);
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
