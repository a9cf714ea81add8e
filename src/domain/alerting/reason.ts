/** Writes why a check failed in a few words, for titles and lists of alerts. Pure. */
import type { AlertMessage } from '../../contracts/alerts';
import { formatShortInstant } from '../health/instant-words';
import { cutText } from '../text/cut-text';
import { takeLastLines } from '../text/last-lines';
import { toOneLine, toPlainLines } from '../text/plain-lines';

/** Maximum length of the reason in a headline. */
const REASON_MAX = 120;
/** Maximum length of the part of a job's output that a headline contains. */
export const OUTPUT_REASON_MAX = 80;
/**
 * The facts about a failure. `atMs` is the time of the alert. Times shortly before it are written without their date.
 */
export type Reasoned = Pick<AlertMessage, 'cause' | 'assertion'> & { readonly atMs?: number };

/** Matches the message of a failed job: what happened, and the last lines of the output. */
const JOB_FAILURE =
  /^(Job (?:failed(?: with exit code -?\d+)?|output (?:contains|matches|could not be searched for) ["“][\s\S]*?["”](?: in time)?))(?:\.$|: ([\s\S]+)$)/;

/** Matches the message of a missed ping, with the date and the time at which the ping was due. */
const MISSED_PING = /^No ping; it was due at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/;

/** Matches the message of a wrong status. */
const WRONG_STATUS = /^Expected status ([^,]+), got (\d+)\.$/;

/** Returns what happened to the job and its output. null if the cause is not a failed job. */
export function readJobFailure(cause: AlertMessage['cause']) {
  if (cause?.code !== 'job_failed') return null;
  const [, what = cause.message, output = ''] = JOB_FAILURE.exec(cause.message) ?? [];
  return { what: toOneLine(what).replace(/\.$/, ''), output: toPlainLines(takeLastLines(output)) };
}

/** Returns the reason, short enough for a lock screen. Empty if it is unknown. */
export function writeReason({ cause, assertion, atMs }: Reasoned): string {
  const job = readJobFailure(cause);
  if (job !== null) return cutText(jobReason(job), OUTPUT_REASON_MAX);
  const reason = writeStatusReason({ cause, assertion }) ?? missedPing(cause, atMs);
  return cutText(reason ?? formatShortCause(cause), REASON_MAX);
}

/** Writes `got 503, expected 2xx`. null if the failure is not about a status. */
export function writeStatusReason({ cause, assertion }: Reasoned): string | null {
  if (assertion === null) {
    const [, expected, actual] = WRONG_STATUS.exec(cause?.message ?? '') ?? [];
    return actual === undefined ? null : toOneLine(`got ${actual}, expected ${expected}`);
  }
  const isAboutStatus = /^status (?:equals|in)$/.test(assertion.text);
  return isAboutStatus
    ? toOneLine(`got ${assertion.actual}, expected ${assertion.expected}`)
    : null;
}

/** Writes `no ping, due 02:30 UTC`. null if the cause is not a missed ping. */
function missedPing(cause: AlertMessage['cause'], atMs: number | undefined): string | null {
  if (cause?.code !== 'heartbeat_missed') return null;
  const [, day, time] = MISSED_PING.exec(cause.message) ?? [];
  if (day === undefined || time === undefined) return null;
  const dueMs = Date.parse(`${day}T${time}Z`);
  return `no ping, due ${formatShortInstant(dueMs, atMs ?? Number.POSITIVE_INFINITY)}`;
}

/** Returns what happened to the job. If only the failure is known, returns the last line of its output. */
function jobReason({ what, output }: { readonly what: string; readonly output: string }): string {
  const lastLine = output.slice(output.lastIndexOf('\n') + 1);
  if (what === 'Job failed' && lastLine !== '') return lastLine;
  return what.replace(/^Job/, 'job');
}

/** Returns the cause as one sentence, without the output of a job. null if it is unknown. */
export function writeCause({ cause, assertion }: Reasoned): string | null {
  if (cause === null) return null;
  const job = readJobFailure(cause);
  if (job === null) return toOneLine(cause.message);
  if (job.what !== 'Job failed' || job.output === '') return `${job.what}.`;
  return `Job failed: ${writeReason({ cause, assertion })}`;
}

/** Returns the cause without the full stop. Empty if it is unknown. */
export function formatShortCause(cause: AlertMessage['cause']): string {
  return cause === null ? '' : toOneLine(cause.message).replace(/\.$/, '');
}
