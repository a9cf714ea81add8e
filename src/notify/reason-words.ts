/** Writes the lines of an alert about its cause that the title does not contain. */
import {
  formatShortCause,
  OUTPUT_REASON_MAX,
  type Reasoned,
  readJobFailure,
  writeCause,
  writeStatusReason,
} from '../domain/alerting/reason';

/** A line at the start of a message. */
export interface LeadLine {
  readonly name: string;
  /** The text. A note and the output of a job may have several lines. */
  readonly value: string;
  /** `labelled` lines begin with their name. `code` is text of the target, in a monospaced font where possible. */
  readonly look: 'plain' | 'labelled' | 'code';
}

/** Returns the lines about the cause that the headline does not contain. */
export function listCauseLines(alert: Reasoned, headline: string): readonly LeadLine[] {
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
  if (headline.includes(formatShortCause(cause))) return true;
  const reason = writeStatusReason({ cause, assertion });
  const isAll = reason !== null && reason === writeStatusReason({ cause, assertion: null });
  return isAll && headline.includes(reason);
}
