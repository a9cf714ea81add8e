/** Lets people see, acknowledge and snooze an incident by the link in an alert. The link is the only credential. */
import type { Guidance } from '../../contracts/definition';
import { type AcknowledgeLink, readAcknowledgeLink } from '../../notify/acknowledge-link';
import { AppError } from '../../platform/errors';
import type {
  IncidentResponse,
  LinkAcknowledgementResponse,
} from '../../schemas/responses/incidents';
import { listTokenCounters, runThrottled } from '../accounts/login-throttle';
import type { Principal } from '../accounts/principal';
import { type IncidentExchange, readIncidentExchange } from '../evidence/incident-evidence';
import type { Dependencies } from '../ports/dependencies';
import { findResource, readSubjectName } from './present-incident';
import { acknowledgeIncident, snoozeIncident } from './silence-incident';
import { findWholeIncident, type WholeIncident } from './whole-incident';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'sleep' | 'gateway' | 'sealers'>;

type Acted = LinkAcknowledgementResponse & Pick<IncidentResponse, 'resourceName'>;

export interface LinkUse {
  readonly response: LinkAcknowledgementResponse;
  /** The result of the action and the name of the incident's subject, for the audit trail. */
  readonly after: Acted;
  readonly actedAs: Pick<Principal, 'accountId' | 'actor'>;
}

/** The incident as the page behind the link shows it. */
export interface LinkedIncident extends Guidance, IncidentExchange {
  readonly id: string;
  readonly resourceName: string;
  /** True if the incident is about an identity provider that is up but refuses credentials. */
  readonly isRefusing: boolean;
  readonly cause: string | null;
  /** The person for whom the link acts. */
  readonly by: string;
  readonly state: 'open' | 'acknowledged' | 'snoozed' | 'resolved';
  /** The person who has acknowledged or snoozed the incident. */
  readonly silencedBy: string | null;
  readonly snoozedUntilMs: number | null;
  readonly openedAtMs: number;
  readonly downMs: number;
}

interface Used {
  readonly token: string;
  readonly address: string;
}

const SNOOZE_MINUTES = 60;
/** The message for an incident that was not found, because an alert may arrive before its incident is stored. */
const NOT_STORED =
  'The incident of this link was not found. If the message has just arrived, try again in a minute.';

/**
 * Reads the incident of a link and changes nothing. Returns null if the link is invalid or its incident does not exist.
 */
export async function readLinkedIncident(
  needs: Pick<Needs, 'stores' | 'clock' | 'sealers'>,
  token: string,
): Promise<LinkedIncident | null> {
  const link = readAcknowledgeLink(needs.sealers.stored, token);
  if (link === null) return null;
  const incident = await findWholeIncident(needs, link.accountId, link.incidentId);
  if (incident === null) return null;
  const { last } = incident;
  const nowMs = needs.clock.now();
  const resource = await findResource(needs.stores, last);
  const state = stateAt(incident, nowMs);
  return {
    ...(await readIncidentExchange(needs.stores, incident.last)),
    id: incident.id,
    resourceName: readSubjectName(last, resource),
    isRefusing: last.provider?.problem === 'refused',
    runbookUrl: resource?.runbookUrl ?? null,
    note: resource?.note ?? null,
    cause: last.cause?.message ?? null,
    by: link.by,
    state,
    silencedBy: state === 'snoozed' ? last.snoozedBy : last.acknowledgedBy,
    snoozedUntilMs: last.snoozedUntilMs,
    openedAtMs: last.openedAtMs,
    downMs: Math.max(0, (last.closedAtMs ?? nowMs) - last.openedAtMs),
  };
}

function stateAt({ last }: WholeIncident, nowMs: number): LinkedIncident['state'] {
  if (last.closedAtMs !== null) return 'resolved';
  if (last.acknowledgedAtMs !== null) return 'acknowledged';
  return (last.snoozedUntilMs ?? 0) > nowMs ? 'snoozed' : 'open';
}

/**
 * Acknowledges the incident. Each link takes effect once. Throws `invalid_token`, `expired_token` and
 * `already_finished`.
 */
export function acknowledgeByLink(needs: Needs, used: Used): Promise<LinkUse> {
  return actByLink(needs, used, ({ accountId, incidentId: id, by, deliveryId: link }) =>
    acknowledgeIncident(needs, { accountId, by }, { id, link }),
  );
}

/** Snoozes the incident for an hour, once per link. Throws the same errors as `acknowledgeByLink`. */
export function snoozeByLink(needs: Needs, used: Used): Promise<LinkUse> {
  return actByLink(needs, used, ({ accountId, incidentId: id, by, deliveryId: link }) =>
    snoozeIncident(needs, { accountId, by }, { id, link, minutes: SNOOZE_MINUTES, reason: '' }),
  );
}

type Acting = (link: AcknowledgeLink) => Promise<Acted>;

function actByLink(needs: Needs, { token, address }: Used, act: Acting): Promise<LinkUse> {
  return runThrottled(needs, listTokenCounters(address), async () => {
    const { stores, sealers } = needs;
    const link = readAcknowledgeLink(sealers.stored, token);
    if (link === null) throw new AppError('invalid_token', 'This link is not valid.');
    const before = await findWholeIncident(needs, link.accountId, link.incidentId);
    if (before === null) throw new AppError('invalid_token', NOT_STORED);
    if (before.closedAtMs !== null)
      throw new AppError('already_finished', 'The incident is resolved.');
    const { id, state, acknowledgedAt, acknowledgedBy, resourceName } = await act(link);
    const { accountId, by } = link;
    const user = await stores.users.findByEmail(accountId, by);
    const actor = { type: 'user', id: user?.id ?? by, name: by } as const;
    const response = { id, state, acknowledgedAt, acknowledgedBy };
    return { response, after: { ...response, resourceName }, actedAs: { accountId, actor } };
  });
}
