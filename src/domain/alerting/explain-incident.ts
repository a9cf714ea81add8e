/**
 * Explains in sentences why people were or were not notified of an incident, from results, decisions and deliveries.
 * Pure.
 */
import type { AlertKind } from '../../contracts/alerting/alert-kinds';
import type { DeliveryStatus } from '../../contracts/alerts';
import type { AlertDecision, IncidentRecord } from '../../contracts/records';
import type { EscalationNotice } from './explain-escalation';

export const EXPLANATION_TOPICS = [
  'check',
  'maintenance',
  'flapping',
  'dependency',
  'rule',
  'answer',
  'policy',
  'notification',
  'delivery',
  'recovery',
] as const;
type Topic = (typeof EXPLANATION_TOPICS)[number];

export interface Explanation {
  readonly atMs: number;
  readonly topic: Topic;
  readonly text: string;
  /** Present if the sentence is about a decision whether to notify people. */
  readonly decision?: AlertDecision['reason'];
}

/** The delivery of one alert to one recipient. */
export interface ExplainedDelivery {
  readonly kind: AlertKind;
  readonly recipient: string;
  readonly status: DeliveryStatus;
  readonly createdAtMs: number;
  readonly sentAtMs: number | null;
  readonly attempts: readonly { readonly atMs: number; readonly detail: string }[];
}

export interface ExplainedIncident
  extends Pick<
    IncidentRecord,
    'openedAtMs' | 'closedAtMs' | 'cause' | 'regions' | 'evidence' | 'decisions' | 'explainedBy'
  > {
  /** One sentence for the start and one for the end of each acknowledgement and snooze. */
  readonly answers: readonly { readonly atMs: number; readonly text: string }[];
  readonly deliveries: readonly ExplainedDelivery[];
  /** The explanations of the incident's escalation. Absent if there is none. */
  readonly escalation?: readonly Explanation[];
}

type Reason = AlertDecision['reason'];

const SENTENCES: Record<Reason, readonly [Topic, string]> = {
  notified: ['notification', 'The failure alert was queued.'],
  flapping_began: [
    'flapping',
    'This failure was its fourth change within 30 minutes: a flapping notice replaced the failure alert.',
  ],
  known_down: ['notification', 'No alert was sent: people already know of the failure.'],
  muted: [
    'maintenance',
    'No alert was sent: it was in maintenance, outside of its hours, or the run was not to notify anyone.',
  ],
  flapping: [
    'flapping',
    'No alert of this outage was sent: it was flapping, and not yet stable for 30 minutes.',
  ],
  flapping_again: ['flapping', 'It was still flapping: the flapping notice was repeated.'],
  stayed_down: ['flapping', 'It flapped and then stayed down for 5 minutes: an alert was sent.'],
  failure_off: ['rule', 'No alert was sent: alerts of failures are switched off (onFailure).'],
  no_recipients: ['rule', 'No alert was sent: its alerts name no channel and no email address.'],
  silenced: ['answer', 'No alert was sent: the incident was acknowledged or snoozed.'],
  asks_dependencies: [
    'dependency',
    'The alert waited, at most 60 s, for a fresh check of what it depends on.',
  ],
  dependency: ['dependency', 'No alert was sent: what it depends on had failed.'],
  recovery_notified: [
    'recovery',
    'It recovered; everyone who was notified of the failure is notified.',
  ],
  no_longer_used: [
    'recovery',
    'It ended: the checks that signed in there were changed, paused or deleted.',
  ],
  recovery_muted: [
    'maintenance',
    'It recovered during maintenance or outside of its hours; the recovery is sent afterwards.',
  ],
  recovery_flapping: [
    'flapping',
    'It recovered while flapping; the recovery is sent once it is stable.',
  ],
  recovery_off: ['rule', 'It recovered; alerts of recoveries are switched off (onRecovery).'],
  never_notified: ['recovery', 'It recovered; nobody had been notified of the failure.'],
};

const FLAPPING_BEGAN_AT_RECOVERY =
  'This recovery was its fourth change within 30 minutes: a flapping notice replaced the recovery alert.';

const REASONS_WITH_NOTICE: readonly Reason[] = ['flapping_began', 'flapping_again', 'stayed_down'];

const NO_CHANNEL =
  'A failure alert was due, but no channel or email address is set up to receive it.';

/**
 * True if an alert, a notice or a reminder was due, or a failure alert was sent. If an escalation handles the incident, no one is notified before
 * its first due step.
 */
export function wasNotified(
  { decisions = [], deliveries }: Pick<ExplainedIncident, 'decisions' | 'deliveries'>,
  escalation: EscalationNotice = 'none',
): boolean {
  const isDelivered = deliveries.some(
    ({ kind, status }) => kind === 'reminder' || (kind === 'failure' && status === 'sent'),
  );
  if (escalation === 'notified' || isDelivered) return true;
  return decisions.some(
    ({ reason }) =>
      REASONS_WITH_NOTICE.includes(reason) || (reason === 'notified' && escalation !== 'awaited'),
  );
}

/** Returns the sentences in chronological order. */
export function explainIncident(incident: ExplainedIncident): readonly Explanation[] {
  const { decisions = [], explainedBy, answers, deliveries, escalation = [] } = incident;
  const sentences: Explanation[] = [
    ...checkSentences(incident),
    ...decisions.map((decision) => decisionSentence(decision, incident)),
    ...answers.map(({ atMs, text }) => ({ atMs, topic: 'answer' as const, text })),
    ...escalation,
    ...deliveries.flatMap(deliverySentences),
  ];
  if (explainedBy !== undefined && explainedBy.untilMs !== null)
    sentences.push({
      atMs: explainedBy.untilMs,
      topic: 'dependency',
      text: `“${explainedBy.name}” no longer explained the failure.`,
    });
  return sentences
    .map((sentence, index) => ({ sentence, index }))
    .toSorted((a, b) => a.sentence.atMs - b.sentence.atMs || a.index - b.index)
    .map(({ sentence }) => sentence);
}

function checkSentences({
  openedAtMs,
  cause,
  regions,
  evidence,
}: ExplainedIncident): readonly Explanation[] {
  const where = regions.length === 0 ? '' : ` in ${listWords(regions)}`;
  const why = cause === null ? '.' : `: ${cause.message}`;
  const opened: Explanation = {
    atMs: openedAtMs,
    topic: 'check',
    text: `Failed${where}${why}`,
  };
  if (evidence === undefined) return [opened];
  const { failures, failuresBeforeDown, failing, regions: responding, quorum } = evidence;
  const inRow = failures === 1 ? '' : ' in a row';
  const text =
    `${failingWords(failing, responding)} failed (${quorum} needed); ` +
    `${plural(failures, 'failed check')}${inRow} (${failuresBeforeDown} needed).`;
  return [opened, { atMs: evidence.slotMs, topic: 'check', text }];
}

function decisionSentence(
  { atMs, reason }: AlertDecision,
  { closedAtMs, explainedBy, deliveries, escalation = [] }: ExplainedIncident,
): Explanation {
  const [topic, text] = SENTENCES[reason];
  const said = { atMs, topic, text, decision: reason };
  if (reason === 'flapping_began' && closedAtMs !== null && atMs >= closedAtMs)
    return { ...said, text: FLAPPING_BEGAN_AT_RECOVERY };
  if (reason === 'notified' && deliveries.length + escalation.length === 0)
    return { ...said, text: NO_CHANNEL };
  if (reason !== 'dependency' || explainedBy === undefined) return said;
  const { name, incidentId } = explainedBy;
  const how = incidentId === null ? 'had failed its last check' : 'was down';
  const sentence = `No alert was sent: it depends on “${name}”, which ${how}; its alert covers this one.`;
  return { ...said, text: sentence };
}

function deliverySentences(delivery: ExplainedDelivery): readonly Explanation[] {
  const { kind, recipient, status, createdAtMs, sentAtMs, attempts } = delivery;
  const last = attempts.at(-1);
  const tries = attempts.length > 1 ? ` after ${attempts.length} tries` : '';
  const what = `The ${kind === 'flapping' ? 'flapping notice' : `${kind} alert`} to ${recipient}`;
  switch (status) {
    case 'sent':
      return [
        { atMs: sentAtMs ?? createdAtMs, topic: 'delivery', text: `${what} was sent${tries}.` },
      ];
    case 'pending':
      return [{ atMs: createdAtMs, topic: 'delivery', text: `${what} is on its way${tries}.` }];
    case 'failed':
    case 'suppressed': {
      const came = status === 'failed' ? 'was not delivered' : 'was not sent by itself';
      const because = last === undefined ? '' : ` ${last.detail}`;
      const atMs = last?.atMs ?? createdAtMs;
      return [{ atMs, topic: 'delivery', text: `${what} ${came}${tries}.${because}` }];
    }
  }
}

/** Describes the failing regions, for example `Both regions` or `2 of 3 regions`. */
function failingWords(failing: number, responding: number): string {
  if (failing !== responding) return `${failing} of ${plural(responding, 'region')}`;
  if (responding === 1) return 'The only region';
  return responding === 2 ? 'Both regions' : `All ${responding} regions`;
}

/** Joins the words, for example `a`, `a and b` or `a, b and c`. */
function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
