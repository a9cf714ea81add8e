/** Prepares the measurements of a check or step for display. */
import { parseJson } from '../../../contracts/json';
import { PHASE_FIELDS, type PhaseField } from '../../../contracts/outcome';
import type { Result } from '../data/api-types';
import { OPERATOR_WORDS } from '../form/assertions/strings';
import { milliseconds } from '../text/time-text';

/** The fields that results, tests and steps of runs have in common. */
export type Measured = Pick<
  Result,
  | 'startedAt'
  | 'responseTimeMs'
  | 'timings'
  | 'request'
  | 'response'
  | 'tls'
  | 'assertions'
  | 'failure'
  | 'attempts'
>;

export type Timings = NonNullable<Result['timings']>;
export type AssertionOutcome = Result['assertions'][number];

interface PhasePart {
  readonly field: PhaseField;
  /** The duration. null means that the phase did not happen. */
  readonly ms: number | null;
  /** The phase's share of the time of all phases, in percent. */
  readonly percent: number;
  /** The share of the phases before this one, in percent. */
  readonly startPercent: number;
}

/** Lists all phases in the order in which they happen. */
export function listPhases(timings: Timings): readonly PhasePart[] {
  const sum = PHASE_FIELDS.reduce((total, field) => total + (timings[field] ?? 0), 0);
  const toPercent = (ms: number) => (sum === 0 ? 0 : (100 * ms) / sum);
  let before = 0;
  return PHASE_FIELDS.map((field) => {
    const ms = timings[field];
    const startPercent = toPercent(before);
    before += ms ?? 0;
    return { field, ms, percent: toPercent(ms ?? 0), startPercent };
  });
}

/** Formats a duration like `0.3 ms`, precise enough to compare short phases. */
export function phaseText(ms: number | null): string {
  return ms !== null && ms < 10 ? `${ms.toFixed(1)} ms` : milliseconds(ms);
}

/** Formats a JSON value for people: texts without quotes, and a dash for null or an absent value. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Describes the condition like `JSON $.ok equals`, without the expected value. */
export function conditionText({ type, target, operator }: AssertionOutcome): string {
  const what = TYPE_WORDS[type];
  return [what, target, OPERATOR_WORDS[operator]].filter((part) => part !== null).join(' ');
}

/** Returns the value that was found, or why there is none. */
export function actualText({ ok, actual, message }: AssertionOutcome): string {
  if (ok || actual !== null) return valueText(actual);
  return /: ([^:]+) \([a-z_]+\)\.$/u.exec(message)?.[1] ?? message;
}

const TYPE_WORDS: Readonly<Record<AssertionOutcome['type'], string>> = {
  status: 'status',
  responseTime: 'response time (ms)',
  body: 'body',
  header: 'header',
  bodySize: 'body size',
  timing: 'phase (ms)',
  redirect: 'redirects',
  tls: 'certificate',
  jsonPath: 'JSON',
  jsonSchema: 'JSON schema',
};

/** Formats a size like `12 B`, `3.4 kB` or `2.0 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Formats a body for reading: JSON is indented, and everything else stays as it was received. */
export function bodyText(body: string): string {
  const parsed = parseJson(body);
  return typeof parsed === 'object' ? JSON.stringify(parsed, null, 2) : body;
}
