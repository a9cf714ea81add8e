/** The draft of the alert routes: ordered rows, and their texts. Pure. */
import type { RoutedType } from '../../../../contracts/escalation';
import type { AlertRoutes } from '../../../shared/data/api-types';
import { newRowId } from '../../../shared/form/assertions/assertion-draft';
import { TEXT, TYPE_WORDS } from './strings';

export interface RouteRow {
  readonly rowId: string;
  readonly tags: readonly string[];
  readonly groups: readonly string[];
  readonly type: RoutedType | null;
  /** Key of the policy. null means the check's own channels. */
  readonly policy: string | null;
}

/**
 * Creates a route that matches every check and uses this policy. Callers pass the policy if the account has only one.
 */
export function newRoute(policy: string | null = null): RouteRow {
  return { rowId: newRowId(), tags: [], groups: [], type: null, policy };
}

export function createRows({ routes }: AlertRoutes): readonly RouteRow[] {
  return routes.map(({ match, policy }) => ({ rowId: newRowId(), ...match, policy }));
}

export function buildRoutesBody(rows: readonly RouteRow[]) {
  return {
    routes: rows.map(({ tags, groups, type, policy }) => ({
      match: { tags, groups, type },
      policy,
    })),
  };
}

type Match = Omit<RouteRow, 'rowId' | 'policy'>;

/** Describes the conditions, like `Heartbeats tagged a or b in Shop or Internal`. */
export function matchWords({ tags, groups, type }: Match): string {
  const what = type === null ? 'All checks' : TYPE_WORDS[type];
  const tagged = tags.length === 0 ? '' : ` tagged ${tags.join(' or ')}`;
  const within = groups.length === 0 ? '' : ` in ${groups.join(' or ')}`;
  return `${what}${tagged}${within}`;
}

/** Returns the name of the policy, or its key until the name is loaded. */
export function policyWords(
  key: string | null,
  policies: readonly { readonly value: string; readonly label: string }[],
): string {
  if (key === null) return TEXT.ownChannels;
  return policies.find(({ value }) => value === key)?.label ?? key;
}
