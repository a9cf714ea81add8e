/** Finds the profile that a body names, or the default profile of the account. */
import type { Profile } from '../../models/resources/profiles';
import type { FieldProblem } from '../../platform/errors';
import { listInheritableNames } from '../../schemas/profiles/profile-fields';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores'>;

export function unknownProfile(key: string): FieldProblem {
  const message = `${key} is not the key of a profile of this account`;
  return { path: 'profile', code: 'unknown_key', message };
}

/**
 * Returns the profile of a new resource that names no profile. null means that the account has no default profile, or
 * that the default profile does not fit the type of the resource.
 */
export async function findDefaultProfile(
  { stores }: Needs,
  accountId: string,
  type: string,
): Promise<Profile | null> {
  const account = await stores.accounts.find(accountId);
  const key = account?.defaultProfile;
  if (key === undefined) return null;
  const profile = await stores.profiles.findByKey(accountId, key);
  return profile === null || findForeignFields(profile, type).length > 0 ? null : profile;
}

/** Returns the fields of the profile that a resource of this type does not have. */
export function findForeignFields({ set }: Pick<Profile, 'set'>, type: string): readonly string[] {
  const names = listInheritableNames(type);
  return Object.keys(set).filter((name) => !names.has(name));
}
