/** Finds hours by what people name them by. */
import { isId } from '../../domain/definitions/ids';
import type { Dependencies } from '../ports/dependencies';

/** The key of what is named by key or id; null: the account has none such. */
export async function findHoursKey(
  { stores: { hours } }: Pick<Dependencies, 'stores'>,
  accountId: string,
  reference: string,
): Promise<string | null> {
  const byId = isId('hours', reference) ? await hours.find(accountId, reference) : null;
  return (byId ?? (await hours.findByKey(accountId, reference)))?.key ?? null;
}
