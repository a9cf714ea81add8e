/** An alert as a webhook gets it, and what the templates of an account can name. It escapes nothing. */
import type { AlertMessage } from '../contracts/alerts';
import type { AlertWords } from './words';

interface EventSource {
  readonly id: string;
  readonly alert: AlertMessage;
  readonly words: AlertWords;
}

/** docs/webhooks.md describes it. */
export function eventOf({ id, alert, words: { headline, link } }: EventSource) {
  const { kind, incidentId, resourceType, resourceId, resourceName, cause, regions } = alert;
  return {
    id,
    type: `alert.${kind}`,
    createdAt: new Date(alert.atMs).toISOString(),
    headline,
    incidentId,
    resource: { type: resourceType, id: resourceId, name: resourceName },
    since: new Date(alert.sinceMs).toISOString(),
    openedAt: alert.openedAtMs === null ? null : new Date(alert.openedAtMs).toISOString(),
    health: alert.health,
    ends: alert.ends,
    regions,
    cause,
    assertion: alert.assertion,
    certificate: certificateOf(alert),
    explains: alert.explains ?? null,
    flapping: flappingOf(alert),
    entries: alert.entries.map(({ atMs, ...entry }) => ({
      ...entry,
      at: new Date(atMs).toISOString(),
    })),
    url: link.url,
  };
}

/** The event, its kind, and the lines of our own words. */
export function templateValuesOf(source: EventSource) {
  const { facts } = source.words;
  return { ...eventOf(source), kind: source.alert.kind, facts };
}

function flappingOf({ flapping }: AlertMessage) {
  if (flapping === undefined) return null;
  const { outages, sinceMs, isAgain } = flapping;
  return { outages, since: new Date(sinceMs).toISOString(), isAgain };
}

function certificateOf({ certificate }: AlertMessage) {
  if (certificate === null) return null;
  const { expiresAtMs, rungDays, ...facts } = certificate;
  return { ...facts, expiresAt: new Date(expiresAtMs).toISOString(), warnDays: rungDays };
}
