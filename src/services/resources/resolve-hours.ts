/** Replaces the `hours` of a body by the key of the hours. Used when the body is saved. */
import type { Resource } from '../../models/resources/resource';
import { refuseProblems } from '../lists/field-problems';
import { findHoursKey } from '../maintenance/find-hours-key';
import type { Dependencies } from '../ports/dependencies';

/** Returns the key. Throws `validation_failed` for unknown hours, unless the resource already uses them. */
export async function resolveHours(
  { stores }: Pick<Dependencies, 'stores'>,
  {
    accountId,
    stored,
  }: { readonly accountId: string; readonly stored: Pick<Resource, 'hours'> | null },
  reference: string | null,
): Promise<string | null> {
  if (reference === null || reference === stored?.hours) return reference;
  const key = await findHoursKey({ stores }, accountId, reference);
  if (key !== null) return key;
  const message = 'is not the key or id of hours of this account';
  refuseProblems([{ path: 'hours', code: 'unknown_key', message }]);
  return null;
}
