/** Incidents: reading them with their story, and what people add to it (docs/alerts.md). */

import { isId } from '../../domain/definitions/ids';
import type { Alert } from '../../models/alerting/alerts';
import type { Incident, IncidentFilter } from '../../models/alerting/incidents';
import { AppError } from '../../platform/errors';
import type { IncidentResponse } from '../../schemas/responses/alerts';
import type { Principal } from '../accounts/principal';
import { toInstant, toInstantOrNull } from '../lists/instants';
import type { ListPage, ListRequest } from '../lists/list-page';
import { readRows } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { type ExplainedIncidents, findExplainedIncidents } from './explained-incidents';
import { explanationEntries, presentExplanation } from './present-explanation';

export interface IncidentListRequest extends ListRequest {
  readonly state?: IncidentFilter | undefined;
  readonly resourceId?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** Alerts of one incident that its timeline shows. */
const ALERTS_MAX = 200;

/** Newest first. */
export async function listIncidents(
  needs: Needs,
  accountId: string,
  { limit, cursor, ...filters }: IncidentListRequest,
): Promise<ListPage<IncidentResponse>> {
  const range = { limit, cursor };
  const scope = { accountId, list: 'incidents', ...filters };
  const wanted = {
    resourceId: filters.resourceId ?? null,
    state: filters.state ?? null,
    fromMs: filters.from,
    toMs: filters.to,
  };
  const { rows, nextCursor } = await readRows(scope, range, {
    read: (query) => needs.stores.incidents.page(accountId, { ...wanted, ...query }),
    idOf: ({ id }) => id,
  });
  const data = await Promise.all(rows.map((row) => present(needs, accountId, row)));
  return { data, nextCursor };
}

export async function getIncident(
  needs: Needs,
  accountId: string,
  id: string,
): Promise<IncidentResponse> {
  return present(needs, accountId, await findIncident(needs, accountId, id));
}

export async function addIncidentNote(
  needs: Needs,
  principal: Principal,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<IncidentResponse> {
  const { accountId } = principal;
  await findIncident(needs, accountId, id);
  const by = await nameOf(needs, principal);
  await needs.stores.incidents.addNote(accountId, id, { atMs: needs.clock.now(), by, text });
  return getIncident(needs, accountId, id);
}

/** The row, or `not_found`, whether the id is malformed, unknown or of another account. */
export async function findIncident(
  { stores }: Needs,
  accountId: string,
  id: string,
): Promise<Incident> {
  const row = isId('incident', id) ? await stores.incidents.find(accountId, id) : null;
  if (row === null) throw new AppError('not_found', 'There is no incident with this id.');
  return row;
}

/** An address for people; keys are named as what they are. */
export async function nameOf({ stores }: Needs, { accountId, actor }: Principal): Promise<string> {
  if (actor.type !== 'user') return 'API key';
  return (await stores.users.find(accountId, actor.id))?.email ?? 'a former member';
}

async function present(
  { stores, clock }: Needs,
  accountId: string,
  row: Incident,
): Promise<IncidentResponse> {
  const [resource, explained, alerts] = await Promise.all([
    row.resourceType === 'monitor'
      ? stores.monitors.find(accountId, row.resourceId)
      : stores.scenarios.find(accountId, row.resourceId),
    findExplainedIncidents(stores, row),
    stores.alerts.page(accountId, {
      incidentId: row.id,
      resourceId: null,
      status: null,
      limit: ALERTS_MAX,
      beforeId: null,
    }),
  ]);
  const { openedAtMs, closedAtMs } = row;
  return {
    id: row.id,
    resourceType: row.resourceType,
    resourceId: row.resourceId,
    resourceName: resource?.name ?? 'deleted',
    state: stateOf(row),
    openedAt: toInstant(openedAtMs),
    closedAt: toInstantOrNull(closedAtMs),
    durationSeconds: Math.max(0, ((closedAtMs ?? clock.now()) - openedAtMs) / 1000),
    cause: row.cause,
    regions: row.regions,
    firstResultId: row.firstResultId,
    firstRunId: row.firstRunId,
    acknowledgedAt: toInstantOrNull(row.acknowledgedAtMs),
    acknowledgedBy: row.acknowledgedBy,
    ...presentSnooze(row, clock.now()),
    notes: row.notes.map(({ atMs, by, text }) => ({ at: toInstant(atMs), by, text })),
    ...presentExplanation(row, explained),
    timeline: timelineOf(row, alerts.rows, explained),
    alerts: alerts.rows.map(({ id }) => id).reverse(),
  };
}

function stateOf({ closedAtMs, acknowledgedAtMs }: Incident): IncidentResponse['state'] {
  if (closedAtMs !== null) return 'resolved';
  return acknowledgedAtMs === null ? 'open' : 'acknowledged';
}

/** One that has ended, or whose incident has, is none. */
function presentSnooze(
  { closedAtMs, snoozedUntilMs, snoozedBy, snoozeReason }: Incident,
  nowMs: number,
): Pick<IncidentResponse, 'snoozedUntil' | 'snoozedBy' | 'snoozeReason'> {
  if (closedAtMs !== null || snoozedUntilMs === null || snoozedUntilMs <= nowMs)
    return { snoozedUntil: null, snoozedBy: null, snoozeReason: null };
  return { snoozedUntil: toInstant(snoozedUntilMs), snoozedBy, snoozeReason };
}

function timelineOf(
  row: Incident,
  alerts: readonly Alert[],
  explained: ExplainedIncidents,
): readonly IncidentResponse['timeline'][number][] {
  const { openedAtMs, closedAtMs, silenceChanges, cause, regions, notes } = row;
  const where = regions.length === 0 ? '' : ` in ${regions.join(', ')}`;
  const entries: {
    atMs: number;
    kind: IncidentResponse['timeline'][number]['kind'];
    text: string;
  }[] = [
    { atMs: openedAtMs, kind: 'opened', text: `Down${where}. ${cause?.message ?? ''}`.trim() },
    ...alerts.map((alert) => ({
      atMs: alert.sentAtMs ?? alert.attempts.at(-1)?.atMs ?? alert.createdAtMs,
      kind: 'alert' as const,
      text: `${alert.kind} to ${alert.recipient}: ${alert.status}`,
    })),
    ...silenceChanges,
    ...explanationEntries(row, explained),
    ...notes.map(({ atMs, by, text }) => ({ atMs, kind: 'note' as const, text: `${by}: ${text}` })),
  ];
  if (closedAtMs !== null) entries.push({ atMs: closedAtMs, kind: 'recovered', text: 'Up again.' });
  return entries
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ atMs, kind, text }) => ({ at: toInstant(atMs), kind, text }));
}
