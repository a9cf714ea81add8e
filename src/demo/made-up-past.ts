/**
 * Invents the 90 days before the demo: when the shop was down, and how fast it was. The result is always the same.
 * Pure.
 */
import { computeDuration } from './shop-load';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 90;
/** The number of samples per hour. Each sample represents the checks of one minute. */
const SAMPLES = 60;
const MINUTE_SECONDS = 60;
/** Average number of days between two outages of a resource. */
const OUTAGE_DAYS = 40;

/** A failure, as its checks report it. */
interface Cause {
  readonly code:
    | 'assertion_failed'
    | 'timeout'
    | 'connection_reset'
    | 'job_failed'
    | 'run_too_long';
  readonly message: string;
  readonly phase: 'assert' | 'ttfb' | null;
  /** The status of the response. null means that no response arrives. */
  readonly status: number | null;
  /** The body of the response, or the output of the job. */
  readonly text: string | null;
  /** How long a failing check takes, in milliseconds. null means that it takes as long as a passing check. */
  readonly tookMs: number | null;
}

const CAUSES: readonly Cause[] = [
  {
    code: 'assertion_failed',
    message: 'Expected status 2xx, got 503.',
    phase: 'assert',
    status: 503,
    text: '{"error":"out of order"}',
    tookMs: null,
  },
  {
    code: 'timeout',
    message: 'Timed out after 5 s while waiting for the response.',
    phase: 'ttfb',
    status: null,
    text: null,
    tookMs: 5_000,
  },
  {
    code: 'connection_reset',
    message: 'The connection was reset.',
    phase: 'ttfb',
    status: null,
    text: null,
    tookMs: 2,
  },
];

/** Failure causes for a job that reports to a heartbeat. */
const JOB_CAUSES: readonly Cause[] = [
  {
    code: 'job_failed',
    message: 'Job failed with exit code 1: Two bags of coffee are missing.',
    phase: null,
    status: null,
    text: 'Two bags of coffee are missing.',
    tookMs: null,
  },
  {
    code: 'run_too_long',
    message: 'The run took longer than 20 s.',
    phase: null,
    status: null,
    text: 'Counted 3 items.',
    tookMs: 24_000,
  },
];

interface Span {
  readonly fromMs: number;
  /** The end, which is exclusive. */
  readonly toMs: number;
}

interface MadeUpOutage extends Span {
  readonly cause: Cause;
}

export interface MadeUpPast {
  readonly fromMs: number;
  /** The outages. Each begins and ends at the time of a check. */
  readonly outages: readonly MadeUpOutage[];
  /** Samples of the response times of each hour, in milliseconds. Outages are left out. */
  readonly hours: readonly (readonly number[])[];
  /** The number of checks that each sample of an hour represents. */
  readonly weight: number;
}

interface MadeUpCheck {
  readonly slotMs: number;
  readonly responseTimeMs: number;
  /** null means that the check passed. */
  readonly failure: Cause | null;
}

export interface PastSubject {
  readonly name: string;
  /** The usual duration of a check when the load of the shop is lowest. */
  readonly usualMs: number;
  /** True for a job that reports to a heartbeat. */
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
  const causes = isJob ? JOB_CAUSES : CAUSES;
  const outages = makeUpOutages(next, { fromMs, toMs }, { causes, everyMs: everySeconds * 1_000 });
  const hours = Array.from({ length: DAYS * 24 }, (_, index) => {
    const startMs = fromMs + index * HOUR_MS;
    return Array.from({ length: SAMPLES }, () => computeDuration(usualMs, startMs, next()));
  });
  return { fromMs, outages, hours, weight: MINUTE_SECONDS / everySeconds };
}

/** Invents the single checks of a span. Those during an outage fail. */
export function makeUpChecks(
  { name, usualMs, everySeconds }: PastSubject,
  { fromMs, toMs }: Span,
  outages: readonly MadeUpOutage[],
): readonly MadeUpCheck[] {
  const next = createSequence(name);
  const everyMs = everySeconds * 1_000;
  return Array.from({ length: Math.floor((toMs - fromMs) / everyMs) }, (_, index) => {
    const slotMs = toMs - (index + 1) * everyMs;
    const usual = computeDuration(usualMs, slotMs, next());
    const outage = outages.find((one) => one.fromMs <= slotMs && slotMs < one.toMs);
    const failure = outage?.cause ?? null;
    return { slotMs, responseTimeMs: failure?.tookMs ?? usual, failure };
  }).toReversed();
}

/** Invents the outages. Each ends more than a day before the demo starts, so that everything is up at the start. */
function makeUpOutages(
  next: () => number,
  { fromMs, toMs }: Span,
  { causes, everyMs }: { readonly causes: readonly Cause[]; readonly everyMs: number },
): MadeUpPast['outages'] {
  const toSlot = (atMs: number): number => Math.ceil(atMs / everyMs) * everyMs;
  const outages = [];
  let atMs = fromMs + next() * OUTAGE_DAYS * DAY_MS;
  while (atMs < toMs - 2 * DAY_MS) {
    const lengthMs = toSlot((2 + next() * 38) * 60_000);
    const cause = causes[Math.floor(next() * causes.length)];
    if (cause === undefined) throw new Error('The list of causes is empty.');
    const startMs = toSlot(atMs);
    outages.push({ fromMs: startMs, toMs: startMs + lengthMs, cause });
    atMs += (0.5 + next()) * OUTAGE_DAYS * DAY_MS;
  }
  return outages;
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
