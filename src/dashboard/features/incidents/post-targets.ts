/** Finds the status pages on which an update of an incident can be posted. Pure. */
import type { PostState } from '../../../contracts/status-pages';
import type { Incident, StatusPage } from '../../shared/data/api-types';

type Affecting = Pick<Incident, 'resourceId' | 'identityProvider' | 'state'>;

interface PostTarget {
  readonly title: string;
  /** The page that creates the post, and what it fills in. */
  readonly to: string;
  readonly search: { readonly affected: string; readonly state: PostState };
}

/** Returns a target for each page that contains a check of the incident. */
export function listPostTargets(
  { resourceId, identityProvider, state }: Affecting,
  pages: readonly Pick<StatusPage, 'id' | 'title' | 'groups'>[],
): readonly PostTarget[] {
  const checks = identityProvider?.checks.map((check) => check.resourceId) ?? [resourceId];
  return pages.flatMap(({ id, title, groups }) => {
    const items = groups.flatMap((group) => group.items);
    const affected = items.filter((item) => checks.includes(item.id)).map((item) => item.id);
    if (affected.length === 0) return [];
    const search = {
      affected: affected.join(','),
      state: state === 'resolved' ? ('resolved' as const) : ('investigating' as const),
    };
    return [{ title, to: `/status-pages/${id}/posts/new`, search }];
  });
}
