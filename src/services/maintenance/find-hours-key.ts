/** Finds hours by key or id. */
import { isId } from '../../domain/definitions/ids';
import type { Dependencies } from '../ports/dependencies';

/** Returns the key of the hours. null if the account has no such hours. */
export async function findHoursKey(
  { stores: { hours } }: Pick<Dependencies, 'stores'>,
  accountId: string,
  reference: string,
): Promise<string | null> {
  const byId = isId('hours', reference) ? await hours.find(accountId, reference) : null;
  return (byId ?? (await hours.findByKey(accountId, reference)))?.key ?? null;
}
