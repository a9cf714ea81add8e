/** What kind of check a row of the list is, and where its page is. Pure. */
import type { RoutedType } from '../../../contracts/escalation';
import type { ListedCheck } from './api-types';

/** Where the page of a check is. */
export function pageOf({ type, id }: Pick<ListedCheck, 'type' | 'id'>): string {
  return `/${type}s/${id}`;
}

/** A heartbeat is a monitor that sends nothing. */
export function checkTypeOf({ type, url }: Pick<ListedCheck, 'type' | 'url'>): RoutedType {
  return type === 'monitor' && url === '' ? 'heartbeat' : type;
}
