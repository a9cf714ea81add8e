/** Finds the kind of check of a row, and the path of its page. */
import type { RoutedType } from '../../../contracts/escalation';
import type { ListedCheck } from './api-types';

/** The path of a check's page. */
export function checkPath({ type, id }: Pick<ListedCheck, 'type' | 'id'>): string {
  return `/${type}s/${id}`;
}

/** Returns the kind of check. A heartbeat is recognised by its missing URL. */
export function findCheckType({ type, url }: Pick<ListedCheck, 'type' | 'url'>): RoutedType {
  return type === 'monitor' && url === '' ? 'heartbeat' : type;
}
