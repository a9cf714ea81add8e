/** Writes why a check failed: a few words for the title, and the lines that the title does not contain. */
import type { AlertMessage } from '../contracts/alerts';
import { cutText } from '../domain/text/cut-text';
import { takeLastLines } from '../domain/text/last-lines';
import { oneLine, severalLines } from './evidence-words';

/** Maximum length of the reason in a headline. */
const REASON_MAX = 120;
/** Maximum length of the part of a job's output that a headline contains. */
const OUTPUT_REASON_MAX = 80;

/** A line at the start of a message. */
export interface LeadLine {
  readonly name: string;
  /** The text. A note and the output of a job may have several lines. */
  readonly value: string;
  /** `labelled` lines begin with their name. `code` is text of the target, in a monospaced font where possible. */
  readonly look: 'plain' | 'labelled' | 'code';
}

type Reasoned = Pick<AlertMessage, 'cause' | 'assertion'>;

/** Matches the message of a failed job: what happened, and the last lines of the output. */
const JOB_FAILURE =
  /^(Job (?:failed(?: with exit code -?\d+)?|output (?:contains|matches|could not be searched for) ["“][\s\S]*?["”](?: in time)?))(?:\.$|: ([\s\S]+)$)/;

function readJobFailure(cause: AlertMessage['cause']) {
  if (cause?.code !== 'job_failed') return null;
  const [, what = cause.message, output = ''] = JOB_FAILURE.exec(cause.message) ?? [];
  return { what: oneLine(what).replace(/\.$/, ''), output: severalLines(takeLastLines(output)) };
}

/** Returns the reason, short enough for a lock screen. Empty if it is unknown. */
export function writeReason({ cause, assertion }: Reasoned): string {
  const job = readJobFailure(cause);
  if (job !== null) return cutText(jobReason(job), OUTPUT_REASON_MAX);
  if (isAboutStatus(assertion))
    return cutText(oneLine(`got ${assertion.actual}, expected ${assertion.expected}`), REASON_MAX);
  return cutText(shortCause(cause), REASON_MAX);
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
  if (job === null) return oneLine(cause.message);
  if (job.what !== 'Job failed' || job.output === '') return `${job.what}.`;
  return `Job failed: ${writeReason({ cause, assertion })}`;
}

/** Returns the lines about the cause that the headline does not contain. */
export function causeLines(alert: Reasoned, headline: string): readonly LeadLine[] {
  const job = readJobFailure(alert.cause);
  if (job === null) {
    const cause = writeCause(alert);
    const isSaid = cause === null || cause === '' || isInHeadline(alert, headline);
    return isSaid ? [] : [{ name: 'Cause', value: cause, look: 'plain' }];
  }
  const isCut = job.what.length > OUTPUT_REASON_MAX;
  const hasOutput = job.output !== '' && !headline.endsWith(`: ${job.output}`);
  return [
    ...(isCut ? [{ name: 'Cause', value: `${job.what}.`, look: 'plain' } as const] : []),
    ...(hasOutput ? [{ name: 'Output', value: job.output, look: 'code' } as const] : []),
  ];
}

/** True if the headline contains the cause, in the same or in other words. */
function isInHeadline({ cause, assertion }: Reasoned, headline: string): boolean {
  if (headline.includes(shortCause(cause))) return true;
  if (!isAboutStatus(assertion)) return false;
  const { expected, actual } = assertion;
  const isAll = cause?.message === `Expected status ${expected}, got ${actual}.`;
  return isAll && headline.includes(oneLine(`got ${actual}, expected ${expected}`));
}

function shortCause(cause: AlertMessage['cause']): string {
  return cause === null ? '' : oneLine(cause.message).replace(/\.$/, '');
}

type Assertion = NonNullable<AlertMessage['assertion']>;

function isAboutStatus(assertion: AlertMessage['assertion']): assertion is Assertion {
  return assertion !== null && /^status (?:equals|in)$/.test(assertion.text);
}
