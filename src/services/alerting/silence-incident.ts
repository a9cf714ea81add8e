/**
 * Lets people respond to an incident: acknowledge it, undo the acknowledgement, or snooze it. A response applies to the
 * last episode. The database decides the order of simultaneous responses, and the workflows get the states in that
 * order.
 */

import { formatInstant } from '../../domain/health/instant-words';
import type { SilenceChange } from '../../models/alerting/incident-parts';
import type { Incident, SilenceFields } from '../../models/alerting/incidents';
import { AppError } from '../../platform/errors';
import type { IncidentResponse } from '../../schemas/responses/incidents';
import type { Principal } from '../accounts/principal';
import { runOrCompensate } from '../lists/run-or-compensate';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';
import { addIncidentNote, findIncident, getIncident, readActorName } from './incidents';
import type { WholeIncident } from './whole-incident';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'sleep' | 'gateway'>;

const MINUTE_MS = 60_000;
/** Maximum number of changes stored with an incident. */
const CHANGES_MAX = 100;

/** Who responds: a member or API key of the account, or a person whom another service or a link names. */
type Caller = Principal | { readonly accountId: string; readonly by: string };

async function callerName(needs: Needs, caller: Caller): Promise<string> {
  return 'by' in caller ? caller.by : readActorName(needs, caller);
}

interface Acknowledgement {
  readonly id: string;
  readonly note?: string | undefined;
  /** Id of the delivery whose link is used. */
  readonly link?: string;
}

/**
 * Acknowledges the incident. If it is already acknowledged, does nothing, even if the link was used before. Otherwise,
 * throws `expired_token` for a used link.
 */
export async function acknowledgeIncident(
  needs: Needs,
  principal: Caller,
  { id, note, link }: Acknowledgement,
): Promise<IncidentResponse> {
  const isFirst = await silence(needs, principal, {
    id,
    change: (incident, { by, atMs, episodes }) => {
      if (incident.acknowledgedAtMs !== null) return null;
      refuseUsedLink(episodes, 'acknowledged', link);
      const text = `Acknowledged by ${by}`;
      const entry = {
        atMs,
        kind: 'acknowledged',
        text,
        ...(link !== undefined && { link }),
      } as const;
      return changed(incident, entry, { acknowledgedAtMs: atMs, acknowledgedBy: by });
    },
  });
  if (isFirst && note !== undefined && !('by' in principal))
    return addIncidentNote(needs, principal, { id, text: note });
  return getIncident(needs, principal.accountId, id);
}

/** Undoes the acknowledgement and any snooze, so that alerts continue. Throws `already_finished`. */
export async function unacknowledgeIncident(
  needs: Needs,
  principal: Caller,
  id: string,
): Promise<IncidentResponse> {
  await silence(needs, principal, {
    id,
    change: (incident, { by, atMs }) => {
      requireUnresolved(incident);
      const isSilent = incident.acknowledgedAtMs !== null || (incident.snoozedUntilMs ?? 0) > atMs;
      const text = `${by} undid the acknowledgement`;
      return isSilent ? changed(incident, { atMs, kind: 'unacknowledged', text }, {}) : null;
    },
  });
  return getIncident(needs, principal.accountId, id);
}

export interface SnoozeRequest {
  readonly id: string;
  readonly minutes: number;
  /** The reason, which may be empty. */
  readonly reason: string;
  /** Id of the delivery whose link is used. */
  readonly link?: string;
}

/**
 * Snoozes the incident. Until the snooze ends, nothing is sent. Throws `already_finished` if the incident is over, and
 * `expired_token` if the link was used before.
 */
export async function snoozeIncident(
  needs: Needs,
  principal: Caller,
  { id, minutes, reason, link }: SnoozeRequest,
): Promise<IncidentResponse> {
  await silence(needs, principal, {
    id,
    change: (incident, { by, atMs, episodes }) => {
      requireUnresolved(incident);
      refuseUsedLink(episodes, 'snoozed', link);
      const snoozedUntilMs = atMs + minutes * MINUTE_MS;
      const why = reason === '' ? '' : `: ${reason}`;
      const text = `Snoozed by ${by} until ${formatInstant(snoozedUntilMs)}${why}`;
      const entry = { atMs, kind: 'snoozed', text, ...(link !== undefined && { link }) } as const;
      const snoozeReason = reason === '' ? null : reason;
      return changed(incident, entry, { snoozedUntilMs, snoozedBy: by, snoozeReason });
    },
  });
  return getIncident(needs, principal.accountId, id);
}

interface Answer {
  readonly id: string;
  /** Returns the new fields of the last episode, or null if nothing changes. */
  readonly change: (
    incident: Incident,
    change: Pick<WholeIncident, 'episodes'> & { readonly by: string; readonly atMs: number },
  ) => SilenceFields | null;
}

/**
 * Stores the change and sends the new state to the workflows, even if nothing changed. Returns true if something
 * changed. If Temporal is unavailable, undoes the change and throws `unavailable`.
 */
function silence(needs: Needs, principal: Caller, { id, change }: Answer): Promise<boolean> {
  const { accountId } = principal;
  const { incidents } = needs.stores;
  return withOptimisticRetry(needs, async () => {
    const { last: before, episodes } = await findIncident(needs, accountId, id);
    const atMs = needs.clock.now();
    const by = await callerName(needs, principal);
    const fields = change(before, { by, atMs, episodes });
    if (fields === null) {
      await handOver(needs, before);
      return false;
    }
    if (!(await incidents.silence(accountId, before, { fields, atMs }))) return OVERTAKEN;
    const after = { ...before, ...fields, silenceSequence: before.silenceSequence + 1 };
    await runOrCompensate(
      needs,
      () => handOver(needs, after),
      () => incidents.silence(accountId, after, { fields: readSilence(before), atMs }),
    );
    return true;
  });
}

/** Sends the state to the workflows, unless the incident is resolved. */
async function handOver({ gateway }: Needs, incident: Incident): Promise<void> {
  const { id, resourceType, resourceId, closedAtMs, silenceSequence: sequence } = incident;
  if (closedAtMs !== null) return;
  const { acknowledgedAtMs, snoozedUntilMs } = incident;
  const isAcknowledged = acknowledgedAtMs !== null;
  const silenced = { incidentId: id, sequence, isAcknowledged, snoozedUntilMs };
  await gateway.silence(resourceType, resourceId, silenced);
}

/**
 * Returns the changed fields. An incident is never acknowledged and snoozed at the same time, because each response
 * replaces the previous response.
 */
function changed(
  { silenceChanges }: Incident,
  entry: SilenceChange,
  said: Partial<SilenceFields>,
): SilenceFields {
  return {
    acknowledgedAtMs: null,
    acknowledgedBy: null,
    snoozedUntilMs: null,
    snoozedBy: null,
    snoozeReason: null,
    silenceChanges: [...silenceChanges, entry].slice(-CHANGES_MAX),
    ...said,
  };
}

function readSilence(incident: Incident): SilenceFields {
  const { acknowledgedAtMs, acknowledgedBy, snoozedUntilMs, snoozedBy, snoozeReason } = incident;
  const { silenceChanges } = incident;
  const acknowledged = { acknowledgedAtMs, acknowledgedBy };
  return { ...acknowledged, snoozedUntilMs, snoozedBy, snoozeReason, silenceChanges };
}

/**
 * Throws for a link that was used before. Each link can acknowledge once and snooze once, even if the acknowledgement
 * or snooze was undone later.
 */
function refuseUsedLink(
  episodes: WholeIncident['episodes'],
  kind: SilenceChange['kind'],
  link: string | undefined,
): void {
  const before = episodes.flatMap(({ silenceChanges }) => silenceChanges);
  if (link !== undefined && before.some((one) => one.link === link && one.kind === kind))
    throw new AppError('expired_token', 'This link was used before.');
}

function requireUnresolved({ closedAtMs }: Incident): void {
  if (closedAtMs !== null) throw new AppError('already_finished', 'The incident is resolved.');
}
