/**
 * Lists the facts of an alert: since when the problem exists, where it was seen, who was notified, and what follows.
 */
import type { AlertMessage } from '../contracts/alerts';
import { writeCause } from '../domain/alerting/reason';
import {
  formatInstant,
  formatShortInstant,
  type InstantStyle,
} from '../domain/health/instant-words';
import { toOneLine } from '../domain/text/plain-lines';
import { listCertificateFacts } from './certificate-words';
import { writeEntryFact } from './digest-words';
import { formatDuration } from './duration-words';
import { writeLastPassingLine } from './evidence-words';
import { isEndOfDegradation } from './headlines';
import { listProviderFacts } from './provider-words';

interface Fact {
  readonly name: string;
  readonly value: string;
}

/** What is known about an alert only when it is sent. */
export interface Sending {
  readonly sentAtMs: number;
  /** The group of the check. Absent or null if it has none, or if the group could not be read. */
  readonly group?: string | null;
  readonly instants?: InstantStyle;
}

const MINUTE_MS = 60_000;
/** How many earlier recipients are named. */
const NOTIFIED_MAX = 5;

export function listFacts(alert: AlertMessage, sending: Sending): readonly Fact[] {
  if (alert.kind === 'test')
    return [{ name: 'Status', value: 'Alerts from Keepwatch arrive here.' }];
  if (alert.kind === 'digest') return alert.entries.map(writeEntryFact);
  if (alert.certificate !== null)
    return [...listCertificateFacts(alert.certificate, alert), ...groupFact(sending)];
  const { regions } = alert;
  const isOver = alert.kind === 'recovery';
  return [
    ...(isOver ? spanFacts(alert) : [sinceFact(alert, sending)]),
    ...(alert.episode === undefined ? [] : [episodeFact(alert.episode)]),
    ...lastPassingFact(alert),
    ...(isOver ? causeFact(alert) : []),
    ...acknowledgedFact(alert),
    ...(regions.length === 0 ? [] : [{ name: 'Regions', value: regions.join(', ') }]),
    ...groupFact(sending),
    ...explainsFact(alert),
    ...listProviderFacts(alert),
    ...escalationFacts(alert),
    ...notifiedFact(alert),
    ...(alert.kind === 'flapping' ? [{ name: 'Next', value: writeFlappingNext(alert) }] : []),
  ];
}

/** Writes a fact like `16:02 UTC (2 min ago)`. The age is that at the time of sending. */
function sinceFact(
  { flapping, sinceMs }: AlertMessage,
  { sentAtMs, instants = 'short' }: Sending,
): Fact {
  const fromMs = flapping?.sinceMs ?? sinceMs;
  const instant =
    instants === 'short' ? formatShortInstant(fromMs, sentAtMs) : formatInstant(fromMs);
  const age = instants === 'record' ? '' : writeAge(sentAtMs - fromMs);
  return { name: 'Since', value: `${instant}${age}` };
}

/** Writes a text like ` (2 min ago)`, without seconds from one minute on. Empty for less than a second. */
function writeAge(ageMs: number): string {
  if (ageMs < 1_000) return '';
  return ` (${formatDuration(ageMs < MINUTE_MS ? ageMs : ageMs - (ageMs % MINUTE_MS))} ago)`;
}

function groupFact({ group = null }: Sending): readonly Fact[] {
  return group === null ? [] : [{ name: 'Group', value: toOneLine(group) }];
}

/** Returns when the problem of a recovery began and ended, like `Down from` and `Down until`. */
function spanFacts(alert: AlertMessage): readonly Fact[] {
  const { openedAtMs, sinceMs } = alert;
  const what = isEndOfDegradation(alert) ? 'Degraded' : 'Down';
  return [
    { name: `${what} from`, value: formatInstant(openedAtMs ?? sinceMs) },
    { name: `${what} until`, value: formatInstant(sinceMs) },
  ];
}

/** Writes a fact like `by Ann after 2 min`. */
function acknowledgedFact({ acknowledged, openedAtMs }: AlertMessage): readonly Fact[] {
  if (acknowledged === undefined) return [];
  const { by, atMs } = acknowledged;
  const after = openedAtMs === null ? '' : ` after ${formatDuration(atMs - openedAtMs)}`;
  return [{ name: 'Acknowledged', value: `by ${toOneLine(by)}${after}` }];
}

/** Writes a fact like `Phone (03:00 UTC), a…@example.com (03:10 UTC) and 2 others`. */
function notifiedFact({ alsoNotified = [], atMs }: AlertMessage): readonly Fact[] {
  if (alsoNotified.length === 0) return [];
  const named = alsoNotified.slice(0, NOTIFIED_MAX).map((one) => {
    return `${toOneLine(one.name)} (${formatShortInstant(one.atMs, atMs)})`;
  });
  const others = alsoNotified.length - named.length;
  const rest = others === 0 ? '' : ` and ${others} ${others === 1 ? 'other' : 'others'}`;
  return [{ name: 'Also notified', value: `${named.join(', ')}${rest}` }];
}

function writeFlappingNext({ resourceName }: AlertMessage): string {
  const name = toOneLine(resourceName);
  return `Single outages send no alerts until ${name} has been stable for 30 min. An outage of 5 min still does.`;
}

function episodeFact(episode: number): Fact {
  return { name: 'Outages', value: `${episode} in this incident` };
}

function causeFact(alert: AlertMessage): readonly Fact[] {
  const cause = writeCause(alert);
  return cause === null ? [] : [{ name: 'Cause', value: cause }];
}

function lastPassingFact({ lastPassing }: AlertMessage): readonly Fact[] {
  return lastPassing === undefined ? [] : [writeLastPassingLine(lastPassing)];
}

/** Writes a fact like `29 more: a, b and 27 others`. */
function explainsFact({ explains }: AlertMessage): readonly Fact[] {
  if (explains === undefined) return [];
  const { count, names } = explains;
  const others = count - names.length;
  const named = names.map(toOneLine).join(', ');
  return [
    {
      name: 'Explains',
      value: `${count} more: ${named}${others > 0 ? ` and ${others} others` : ''}`,
    },
  ];
}

function escalationFacts({ kind, escalation }: AlertMessage): readonly Fact[] {
  if (escalation === undefined || escalation.policyName === '' || kind === 'recovery') return [];
  const { policyName, step, steps } = escalation;
  return [{ name: 'Escalation', value: `Step ${step} of ${steps}, ${toOneLine(policyName)}` }];
}
