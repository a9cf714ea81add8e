/** Reads incidents with their timeline, and adds people's notes (docs/incidents.md). */

import type { IncidentFilter } from '../../models/alerting/incidents';
import { AppError } from '../../platform/errors';
import type { IncidentResponse } from '../../schemas/responses/incidents';
import type { Principal } from '../accounts/principal';
import { type ListPage, type ListRequest, readItems } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { readChannelNames } from './alert-destinations';
import { presentIncident } from './present-incident';
import { findWholeIncident, type WholeIncident, withEpisodes } from './whole-incident';

export interface IncidentListRequest extends ListRequest {
  readonly state?: IncidentFilter | undefined;
  readonly resourceId?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** Lists incidents by the start of their last episode, newest first. */
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
  const { items, nextCursor } = await readItems(scope, range, {
    read: (query) => needs.stores.wholeIncidents.page(accountId, { ...wanted, ...query }),
    readId: ({ id }) => id,
  });
  const names = await readChannelNames(needs.stores.alertChannels, accountId);
  const data = await Promise.all(
    items.map(async (last) => presentIncident(needs, await withEpisodes(needs, last), names)),
  );
  return { data, nextCursor };
}

/** Returns the incident. Accepts the id of any of its episodes. */
export async function getIncident(
  needs: Needs,
  accountId: string,
  id: string,
): Promise<IncidentResponse> {
  const [incident, names] = await Promise.all([
    findIncident(needs, accountId, id),
    readChannelNames(needs.stores.alertChannels, accountId),
  ]);
  return presentIncident(needs, incident, names);
}

export async function addIncidentNote(
  needs: Needs,
  principal: Principal,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<IncidentResponse> {
  const { accountId } = principal;
  const { last } = await findIncident(needs, accountId, id);
  const by = await readActorName(needs, principal);
  await needs.stores.incidents.addNote(accountId, last.id, { atMs: needs.clock.now(), by, text });
  return getIncident(needs, accountId, id);
}

/**
 * Returns the incident to which the episode belongs. Throws the same `not_found` if the id is unknown, malformed or
 * of another account.
 */
export async function findIncident(
  needs: Needs,
  accountId: string,
  id: string,
): Promise<WholeIncident> {
  const incident = await findWholeIncident(needs, accountId, id);
  if (incident === null) throw new AppError('not_found', 'There is no incident with this id.');
  return incident;
}

/**
 * Returns the email address of a member, `a former member` for a person who was removed, or the name of an API key,
 * like `deploy (API key)`.
 */
export async function readActorName(
  { stores }: Needs,
  { accountId, actor }: Principal,
): Promise<string> {
  if (actor.type !== 'user') return `${actor.name} (API key)`;
  return (await stores.users.find(accountId, actor.id))?.email ?? 'a former member';
}
