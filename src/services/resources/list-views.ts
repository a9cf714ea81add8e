/** A page of monitors or scenarios as they are shown, newest first, with their statuses. */
import type { WithRecent } from '../../schemas/responses/resources';
import type { ListPage } from '../lists/list-page';
import type { Dependencies } from '../ports/dependencies';
import { findStatuses } from './find-status';
import type { Kind, KindTypes } from './kind';
import { listResources, type ResourceListRequest } from './list-resources';
import { findRecentSlots, type RecentRequest } from './recent-slots';
import { withoutGoneChannels } from './resolve-alerts';
import { withoutGoneDependencies } from './resolve-dependencies';

/**
 * Two queries, or three, whatever the size of the page, and some more when it is filtered by status
 * or health; recent slots are one more for each item and region whose results are not the ones read
 * before.
 */
export async function listViews<Types extends KindTypes>(
  needs: Dependencies,
  kind: Kind<Types>,
  request: ResourceListRequest & RecentRequest & { readonly accountId: string },
): Promise<ListPage<Types['View'] & WithRecent>> {
  const { include, ...query } = request;
  const { items: stored, nextCursor } = await listResources(needs, kind, query);
  const named = await withoutGoneDependencies(needs, query.accountId, stored);
  const resources = await withoutGoneChannels(needs, query.accountId, named);
  const statusOf = await findStatuses(needs, query.accountId, resources);
  const recentOf = include === undefined ? null : await findRecentSlots(needs, resources, statusOf);
  return {
    data: resources.map((resource) => ({
      ...kind.present(resource, statusOf.get(resource.id) ?? null),
      ...(recentOf !== null && { recent: recentOf.get(resource.id) ?? [] }),
    })),
    nextCursor,
  };
}
