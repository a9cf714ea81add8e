/** Says in one sentence why people were or were not notified of an incident, from the sentences of the API. Pure. */
import type { IncidentExplanation } from '../../shared/data/api-types';

type Explained = Pick<IncidentExplanation, 'notified' | 'sentences'>;

/** For example `An alert was sent because both regions failed (1 needed); 1 failed check (1 needed).` */
export function summarizeWhy({ notified, sentences }: Explained): string {
  if (!notified) return summarizeWhyNot(sentences);
  const wasSent = sentences.some(
    ({ topic, text }) => topic === 'delivery' && text.includes(' was sent'),
  );
  if (!wasSent) return 'An alert was due, but none has been delivered yet.';
  const checks = sentences.filter(({ topic }) => topic === 'check');
  const reason = checks.find(({ text }) => text.includes(' needed)')) ?? checks[0];
  return reason === undefined
    ? 'An alert was sent.'
    : `An alert was sent because ${toClause(reason.text)}`;
}

/** The last decision against an alert counts. */
function summarizeWhyNot(sentences: Explained['sentences']): string {
  const decision = sentences.findLast(({ text }) => text.startsWith('No alert '));
  if (decision !== undefined) return decision.text;
  const isEscalated = sentences.some(({ topic }) => topic === 'policy');
  return isEscalated ? 'No alert was sent.' : 'No alert was needed.';
}

/** Turns a sentence into a clause that can follow `because`. */
function toClause(text: string): string {
  if (text.startsWith('Failed')) return text.replace('Failed', 'it failed');
  return text.charAt(0).toLowerCase() + text.slice(1);
}
