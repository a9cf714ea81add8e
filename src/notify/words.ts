/**
 * Writes the default text of an alert for all channels: what happened, since when, where, why, and links. Each channel
 * escapes the text.
 */
import type { AlertKind } from '../contracts/alerting/alert-kinds';
import type { AlertMessage } from '../contracts/alerts';
import { toPlainLines } from '../domain/text/plain-lines';
import { listFacts, type Sending } from './alert-facts';
import { type AlertLink, buildLink, findRunbook, isLinkable } from './alert-links';
import { findDigestTone } from './digest-words';
import { listExchangeLines, writePassingLine } from './evidence-words';
import { writeHeadline } from './headlines';
import { type LeadLine, listCauseLines } from './reason-words';

export interface AlertWords {
  /** One line with the event, the resource and the reason. */
  readonly headline: string;
  /**
   * The lines at the start of the text: the request, the response, and the part of the cause that the headline leaves
   * out.
   */
  readonly lead: readonly LeadLine[];
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly link: AlertLink;
  /** Link to the runbook. null if there is none, or if receivers do not accept its URL. */
  readonly runbook: AlertLink | null;
  readonly tone: 'bad' | 'good' | 'neutral';
}

const TONES: Record<Exclude<AlertKind, 'digest'>, AlertWords['tone']> = {
  failure: 'bad',
  recovery: 'good',
  degraded: 'bad',
  reminder: 'bad',
  flapping: 'bad',
  certificate: 'neutral',
  test: 'neutral',
  event: 'neutral',
};

/** Kinds of alerts whose text does not begin with a cause, because they are not about a failing check. */
const LEADLESS: readonly AlertKind[] = ['recovery', 'test', 'digest', 'certificate', 'event'];

/** Writes the text. A digest of one alert has the text of that alert. */
export function writeAlert(
  alert: AlertMessage,
  publicUrl: string,
  sending: Sending = { sentAtMs: alert.atMs },
): AlertWords {
  if (alert.only !== undefined) return writeAlert(alert.only, publicUrl, sending);
  const headline = writeHeadline(alert);
  return {
    headline,
    lead: [...writeLead(alert, headline), ...guidanceLead(alert)],
    facts: listFacts(alert, sending),
    link: buildLink(alert, publicUrl),
    runbook: findRunbook(alert),
    tone: alert.kind === 'digest' ? findDigestTone(alert) : TONES[alert.kind],
  };
}

/** Returns the cause, and the request and response. Empty for alerts that are not about a check, such as digests. */
function writeLead(alert: AlertMessage, headline: string): AlertWords['lead'] {
  const { kind, exchange, passing } = alert;
  if (kind === 'recovery' && passing !== undefined)
    return [{ ...writePassingLine(passing), look: 'code' }];
  if (LEADLESS.includes(kind)) return [];
  const passed = passing === undefined ? [] : [writePassingLine(passing)];
  const evidence = exchange === undefined ? passed : listExchangeLines(exchange);
  return [
    ...listCauseLines(alert, headline),
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
      : [{ name: 'Note', value: toPlainLines(note), look: 'labelled' } as const]),
    ...(isText ? [{ name: 'Runbook', value: runbookUrl, look: 'labelled' } as const] : []),
  ];
}
