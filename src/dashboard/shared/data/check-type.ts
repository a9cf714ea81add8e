/** Finds the kind of check of a row, and the path of its page. */
import type { CheckKind } from '../../../contracts/check-list';
import type { RoutedType } from '../../../contracts/escalation';
import { NETWORK_KINDS, OTHER_SCHEMES } from '../../../contracts/kinds';
import type { ListedCheck } from './api-types';

/** The path of a check's page. */
export function checkPath({ type, id }: Pick<ListedCheck, 'type' | 'id'>): string {
  return `/${type}s/${id}`;
}

/** Returns the kind of check. A heartbeat is recognised by its missing URL. */
export function findCheckType({ type, url }: Pick<ListedCheck, 'type' | 'url'>): RoutedType {
  return type === 'monitor' && url === '' ? 'heartbeat' : type;
}

/** Returns the kind of check in more detail. The scheme of the URL names the kind of a monitor. */
export function findCheckKind(check: Pick<ListedCheck, 'type' | 'url'>): CheckKind {
  const type = findCheckType(check);
  if (type !== 'monitor') return type;
  const scheme = /^([a-z]+):/i.exec(check.url)?.[1]?.toLowerCase() ?? '';
  return NETWORK_KINDS.find((kind) => kind === scheme) ?? OTHER_SCHEMES[scheme] ?? 'http';
}
