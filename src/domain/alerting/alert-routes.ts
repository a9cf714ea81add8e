/** Finds the first matching route of the account for a resource without an alert policy. Pure. */
import type { AlertRoute, RoutedType, RouteMatch } from '../../contracts/escalation';

export interface Routed {
  readonly type: RoutedType;
  readonly tags: readonly string[];
  readonly groupKey: string;
}

/** Returns the index of the first route that matches the resource. null means that none matches. */
export function findFirstRoute(routes: readonly AlertRoute[], resource: Routed): number | null {
  const index = routes.findIndex(({ match }) => matches(match, resource));
  return index < 0 ? null : index;
}

function matches({ tags, groups, type }: RouteMatch, resource: Routed): boolean {
  if (type !== null && type !== resource.type) return false;
  if (tags.length > 0 && !tags.some((tag) => resource.tags.includes(tag))) return false;
  const isWithin = (group: string): boolean =>
    resource.groupKey === group || resource.groupKey.startsWith(`${group}/`);
  return groups.length === 0 || groups.some(isWithin);
}
