/** Builds the form of an alert that webhooks and templates get. */
import type { AlertMessage } from '../contracts/alerts';
import type { AlertLink } from './alert-links';
import type { AlertWords } from './words';

interface EventSource {
  readonly id: string;
  readonly alert: AlertMessage;
  readonly words: AlertWords;
  readonly acknowledge: AlertLink | null;
}

/** Maximum number of checks of an identity provider that are named. */
const NAMED_MAX = 10;

/** Builds the event, which is described in docs/webhooks.md. */
export function buildEvent(source: EventSource) {
  const { event } = source.alert;
  return event === undefined ? alertEvent(source) : programEvent(source, event);
}

function programEvent(
  { id, alert, words: { link } }: EventSource,
  { type, data }: NonNullable<AlertMessage['event']>,
) {
  const { resourceType, resourceId, resourceName } = alert;
  return {
    id,
    type,
    createdAt: new Date(alert.atMs).toISOString(),
    resource: { type: resourceType, id: resourceId, name: resourceName },
    data,
    url: link.url,
  };
}

function alertEvent({ id, alert, words: { headline, link }, acknowledge }: EventSource) {
  const { kind, incidentId, cause, regions } = alert;
  return {
    id,
    type: `alert.${kind}`,
    createdAt: new Date(alert.atMs).toISOString(),
    headline,
    incidentId,
    resource: presentSubject(alert),
    since: new Date(alert.sinceMs).toISOString(),
    openedAt: alert.openedAtMs === null ? null : new Date(alert.openedAtMs).toISOString(),
    health: alert.health,
    ends: alert.ends,
    regions,
    cause,
    assertion: alert.assertion,
    exchange: alert.exchange ?? null,
    lastPassing: presentLastPassing(alert),
    certificate: presentCertificate(alert),
    explains: alert.explains ?? null,
    identityProvider: presentProvider(alert),
    flapping: presentFlapping(alert),
    passing: alert.passing ?? null,
    acknowledged: presentResponder(alert),
    alsoNotified: (alert.alsoNotified ?? []).map(({ name, atMs }) => ({
      name,
      at: new Date(atMs).toISOString(),
    })),
    entries: alert.entries.map(presentEntry),
    runbookUrl: alert.guidance?.runbookUrl ?? null,
    note: alert.guidance?.note ?? null,
    url: link.url,
    acknowledgeUrl: acknowledge?.url ?? null,
  };
}

/** Builds the values for templates: the event, its kind, and all lines of the default text. */
export function buildTemplateValues(source: EventSource) {
  const { lead, facts } = source.words;
  const lines = [...lead, ...facts].map(({ name, value }) => ({ name, value }));
  return { ...alertEvent(source), kind: source.alert.kind, facts: lines };
}

/**
 * Returns the subject of the event. For a test this is the channel. For a digest it is the account, because a digest
 * may be about several checks.
 */
function presentSubject({ kind, accountId, resourceType, resourceId, resourceName }: AlertMessage) {
  if (kind === 'digest') return { type: 'account', id: accountId, name: resourceName };
  const type = kind === 'test' ? 'alertChannel' : resourceType;
  return { type, id: resourceId, name: resourceName };
}

/** In older digests, `resource` is null. `reason` is null if it is unknown. */
function presentEntry({
  kind,
  resourceType,
  resourceId,
  resourceName,
  incidentId,
  atMs,
  reason,
}: AlertMessage['entries'][number]) {
  const isKnown = resourceType !== undefined && resourceId !== undefined;
  return {
    kind,
    resourceName,
    incidentId,
    at: new Date(atMs).toISOString(),
    resource: isKnown ? { type: resourceType, id: resourceId, name: resourceName } : null,
    reason: reason ?? null,
  };
}

function presentResponder({ acknowledged }: AlertMessage) {
  if (acknowledged === undefined) return null;
  return { by: acknowledged.by, at: new Date(acknowledged.atMs).toISOString() };
}

function presentLastPassing({ lastPassing }: AlertMessage) {
  if (lastPassing === undefined) return null;
  const { atMs, ...facts } = lastPassing;
  return { at: new Date(atMs).toISOString(), ...facts };
}

function presentProvider({ provider }: AlertMessage) {
  if (provider === undefined) return null;
  const { tokenUrl, problem, reason, checkCount, checks } = provider;
  const names = checks.slice(0, NAMED_MAX).map(({ resourceName }) => resourceName);
  return { tokenUrl, problem, reason, checks: { count: checkCount, names } };
}

function presentFlapping({ flapping }: AlertMessage) {
  if (flapping === undefined) return null;
  const { outages, sinceMs, isAgain } = flapping;
  return { outages, since: new Date(sinceMs).toISOString(), isAgain };
}

function presentCertificate({ certificate }: AlertMessage) {
  if (certificate === null) return null;
  const { expiresAtMs, rungDays, ...facts } = certificate;
  return { ...facts, expiresAt: new Date(expiresAtMs).toISOString(), warnDays: rungDays };
}
