/**
 * Writes the default text of an alert for all channels: what happened, since when, where, why, and links. Each channel
 * escapes the text.
 */
import type { AlertKind } from '../contracts/alerting/alert-kinds';
import type { AlertMessage } from '../contracts/alerts';
import type { ExpiringCertificate } from '../contracts/certificates';
import { instantWords } from '../domain/health/instant-words';
import { type AlertLink, buildLink, findRunbook, isLinkable } from './alert-links';
import { formatDuration } from './duration-words';
import { exchangeLines, lastPassingLine, oneLine, severalLines } from './evidence-words';
import { providerFacts, writeProviderHeadline } from './provider-words';
import { causeLines, type LeadLine, writeCause, writeReason } from './reason-words';

export interface AlertWords {
  /** One line with the event, the resource and the reason. */
  readonly headline: string;
  /** The lines at the start of the text: what the headline does not say of the cause, the request, and the response. */
  readonly lead: readonly LeadLine[];
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly link: AlertLink;
  /** Link to the runbook. null if there is none, or if receivers do not accept its URL. */
  readonly runbook: AlertLink | null;
  readonly tone: 'bad' | 'good' | 'neutral';
}

const TONES: Record<AlertKind, AlertWords['tone']> = {
  failure: 'bad',
  recovery: 'good',
  degraded: 'bad',
  reminder: 'bad',
  flapping: 'bad',
  certificate: 'neutral',
  digest: 'bad',
  test: 'neutral',
  event: 'neutral',
};

const ENTRY_STATES: Partial<Record<AlertKind, string>> = {
  recovery: 'up again',
  degraded: 'degraded',
};

/** Kinds of alerts that do not begin with a cause, because they are not about a check that fails now. */
const LEADLESS: readonly AlertKind[] = ['recovery', 'test', 'digest', 'certificate', 'event'];

const DAY_MS = 86_400_000;
const FLAPPING_NEXT =
  'Alerts of single outages are paused until it has been stable for 30 min. One that lasts 5 min is sent.';

export function writeAlert(alert: AlertMessage, publicUrl: string): AlertWords {
  const headline = writeHeadline(alert);
  return {
    headline,
    lead: [...writeLead(alert, headline), ...guidanceLead(alert)],
    facts: listFacts(alert),
    link: buildLink(alert, publicUrl),
    runbook: findRunbook(alert),
    tone: TONES[alert.kind],
  };
}

function writeHeadline(alert: AlertMessage): string {
  if (alert.provider !== undefined) return writeProviderHeadline(alert, alert.provider);
  const name = oneLine(alert.resourceName);
  switch (alert.kind) {
    case 'failure':
      return `${alert.episode === undefined ? 'Down' : 'Down again'}: ${withReason(name, alert)}`;
    case 'recovery':
      return writeRecovery(name, alert);
    case 'degraded':
      return `Degraded: ${withReason(name, alert)}`;
    case 'reminder':
      return reminderHeadline(name, alert);
    case 'flapping':
      return flappingHeadline(name, alert);
    case 'certificate':
      return certificateHeadline(name, alert);
    case 'digest':
      return `${alert.entries.length} monitors changed at the same time`;
    case 'test':
      return `Test of the alert channel ${name}`;
    case 'event':
      return `${alert.event?.type ?? 'event'}: ${name}`;
  }
}

/** Writes a line like `Still down for 12 min: Checkout: got 503, expected 2xx`. */
function reminderHeadline(name: string, alert: AlertMessage): string {
  const what = alert.staysDown === true ? 'Stays down' : 'Still down';
  return `${what} for ${formatDuration(alert.atMs - alert.sinceMs)}: ${withReason(name, alert)}`;
}

/** Writes a line like `Checkout: got 503, expected 2xx`. */
function withReason(name: string, alert: AlertMessage): string {
  const reason = writeReason(alert);
  return reason === '' ? name : `${name}: ${reason}`;
}

/** Writes a line like `Checkout is flapping: 5 outages in 12 min, now down, last: Timed out after 3 s`. */
function flappingHeadline(name: string, { flapping, health, cause, atMs }: AlertMessage): string {
  const { outages = 0, sinceMs = atMs, isAgain = false } = flapping ?? {};
  const count = outages > 1 ? [`${outages} outages in ${formatDuration(atMs - sinceMs)}`] : [];
  const reason = writeReason({ cause, assertion: null });
  const last = reason === '' ? [] : [`last: ${reason}`];
  const facts = [...count, `now ${health}`, ...last].join(', ');
  return `${name} is ${isAgain ? 'still ' : ''}flapping: ${facts}`;
}

function certificateHeadline(name: string, { certificate, atMs }: AlertMessage): string {
  const leftMs = (certificate?.expiresAtMs ?? atMs) - atMs;
  const what = `${expiringThing(certificate)} for ${name}`;
  if (leftMs <= 0) return `${what} has expired`;
  return `${what} expires in ${roughLength(leftMs)}`;
}

function expiringThing(certificate: ExpiringCertificate | null): string {
  if (certificate?.client === true) return 'Client certificate';
  return certificate?.domain === undefined ? 'Certificate' : 'Registration';
}

function writeRecovery(name: string, { ends, atMs, openedAtMs }: AlertMessage): string {
  const lasted = formatDuration(atMs - (openedAtMs ?? atMs));
  const isDegradedOnly = ends.length > 0 && !ends.includes('failure');
  return isDegradedOnly
    ? `${name} is no longer degraded, after ${lasted}`
    : `${name} is up again after ${lasted}`;
}

/** Returns the first lines. Empty for alerts that are not about a check that fails now. */
function writeLead(alert: AlertMessage, headline: string): AlertWords['lead'] {
  const { kind, exchange } = alert;
  if (LEADLESS.includes(kind)) return [];
  const evidence = exchange === undefined ? [] : exchangeLines(exchange);
  return [
    ...causeLines(alert, headline),
    ...evidence.map((line) => ({ ...line, look: 'code' }) as const),
  ];
}

/** Returns the note, and the runbook's URL if it cannot be a link. */
function guidanceLead({ guidance }: AlertMessage): AlertWords['lead'] {
  const { runbookUrl = null, note = null } = guidance ?? {};
  const isText = runbookUrl !== null && !isLinkable(runbookUrl);
  return [
    ...(note === null
      ? []
      : [{ name: 'Note', value: severalLines(note), look: 'labelled' } as const]),
    ...(isText ? [{ name: 'Runbook', value: runbookUrl, look: 'labelled' } as const] : []),
  ];
}

function listFacts(alert: AlertMessage): AlertWords['facts'] {
  if (alert.kind === 'test')
    return [{ name: 'Status', value: 'Alerts from Keepwatch arrive here.' }];
  if (alert.kind === 'digest') return alert.entries.map(entryFact);
  if (alert.certificate !== null) return listCertificateFacts(alert.certificate, alert.regions);
  const { regions } = alert;
  const isOver = alert.kind === 'recovery';
  const sinceMs = alert.flapping?.sinceMs ?? alert.sinceMs;
  return [
    {
      name: 'Since',
      value: instantWords(isOver ? (alert.openedAtMs ?? sinceMs) : sinceMs),
    },
    ...(alert.episode === undefined ? [] : [episodeFact(alert.episode)]),
    ...lastPassingFact(alert),
    ...(isOver ? [{ name: 'Until', value: instantWords(alert.sinceMs) }] : []),
    ...(isOver ? causeFact(alert) : []),
    ...(isOver && alert.health === 'degraded' ? [{ name: 'Now', value: 'degraded' }] : []),
    ...(regions.length === 0 ? [] : [{ name: 'Regions', value: regions.join(', ') }]),
    ...explainsFact(alert),
    ...providerFacts(alert),
    ...escalationFacts(alert),
    ...(alert.kind === 'flapping' ? [{ name: 'Next', value: FLAPPING_NEXT }] : []),
  ];
}

function episodeFact(episode: number): AlertWords['facts'][number] {
  return { name: 'Outages', value: `${episode} in this incident` };
}

function causeFact(alert: AlertMessage): AlertWords['facts'] {
  const cause = writeCause(alert);
  return cause === null ? [] : [{ name: 'Cause', value: cause }];
}

function lastPassingFact({ lastPassing }: AlertMessage): AlertWords['facts'] {
  return lastPassing === undefined ? [] : [lastPassingLine(lastPassing)];
}

/** Writes a fact like `29 more: a, b and 27 others`. */
function explainsFact({ explains }: AlertMessage): AlertWords['facts'] {
  if (explains === undefined) return [];
  const { count, names } = explains;
  const others = count - names.length;
  const named = names.map(oneLine).join(', ');
  return [
    {
      name: 'Explains',
      value: `${count} more: ${named}${others > 0 ? ` and ${others} others` : ''}`,
    },
  ];
}

function escalationFacts({ kind, escalation }: AlertMessage): AlertWords['facts'] {
  if (escalation === undefined || escalation.policyName === '' || kind === 'recovery') return [];
  const { policyName, step, steps } = escalation;
  return [{ name: 'Escalation', value: `Step ${step} of ${steps}, ${oneLine(policyName)}` }];
}

function listCertificateFacts(
  { expiresAtMs, issuer, step, fingerprint, domain }: ExpiringCertificate,
  regions: readonly string[],
): AlertWords['facts'] {
  return [
    { name: 'Expires', value: instantWords(expiresAtMs) },
    ...(step === null ? [] : [{ name: 'Step', value: oneLine(step) }]),
    ...(domain === undefined ? [] : [{ name: 'Domain', value: domain }]),
    ...(issuer === null
      ? []
      : [{ name: domain === undefined ? 'Issuer' : 'Registrar', value: oneLine(issuer) }]),
    ...(domain === undefined ? [{ name: 'Fingerprint', value: fingerprint }] : []),
    { name: 'Seen from', value: regions.join(', ') },
  ];
}

function entryFact({ kind, resourceName, atMs }: AlertMessage['entries'][number]) {
  if (kind === 'certificate')
    return { name: oneLine(resourceName), value: `expires ${instantWords(atMs)}` };
  const what = ENTRY_STATES[kind] ?? 'down';
  return { name: oneLine(resourceName), value: `${what} since ${instantWords(atMs)}` };
}

/** Formats a length. From two days on, it is in whole days, like `3 days`. */
function roughLength(ms: number): string {
  const days = Math.round(ms / DAY_MS);
  return days < 2 ? formatDuration(ms) : `${days} days`;
}
