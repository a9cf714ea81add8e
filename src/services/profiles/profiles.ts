/** Creates, changes and deletes profiles. */
import type { JsonValue } from '../../contracts/definition';
import { isRecord } from '../../contracts/json';
import { unmaskHeaders } from '../../domain/definitions/own-fields';
import { HEADER_MASK } from '../../domain/secrets/sensitive-headers';
import type { Profile } from '../../models/resources/profiles';
import { canonicalJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import type { ProfileBody } from '../../schemas/profiles/profile';
import type { ProfileResponse } from '../../schemas/responses/profiles';
import { refuseProblems } from '../lists/field-problems';
import { orUndo } from '../lists/or-undo';
import {
  changeObject,
  newObject,
  type ObjectChange,
  type ObjectKind,
  presentObject,
  removeObject,
  storeObject,
} from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { findUsers } from '../resources/find-users';

export const PROFILES_MAX = 100;

export const PROFILE_READ_ONLY_FIELDS: readonly string[] = [
  'id',
  'version',
  'createdAt',
  'updatedAt',
];

export function profileKind({
  stores,
}: Pick<Dependencies, 'stores'>): ObjectKind<Profile, ProfileResponse> {
  return {
    idKind: 'profile',
    name: 'profile',
    names: 'profiles',
    list: 'profiles',
    turn: 'profiles',
    max: PROFILES_MAX,
    store: stores.profiles,
    present: presentProfile,
  };
}

function presentProfile(profile: Profile): ProfileResponse {
  return presentObject(profile);
}

/** Throws `key_taken` and `limit_reached`. */
export async function createProfile(
  needs: Dependencies,
  accountId: string,
  body: ProfileBody,
): Promise<ProfileResponse> {
  const profile = newProfile(needs, accountId, body);
  await storeProfile(needs, profile);
  return presentProfile(profile);
}

/** Throws the same errors as createProfile. */
export function storeProfile(needs: Dependencies, profile: Profile): Promise<void> {
  return storeObject(needs, profileKind(needs), profile);
}

/** Builds the profile without storing it. */
export function newProfile(needs: Dependencies, accountId: string, body: ProfileBody): Profile {
  return { ...newObject(needs, profileKind(needs), accountId), ...readBody(body, null) };
}

interface Replacement extends ObjectChange {
  readonly body: ProfileBody;
}

export async function replaceProfile(
  needs: Dependencies,
  accountId: string,
  { body, ...change }: Replacement,
): Promise<ProfileResponse> {
  const replaced = await changeObject(
    needs,
    profileKind(needs),
    { ...change, accountId },
    (before) => changedProfile(before, body),
  );
  return presentProfile(replaced);
}

/** Returns `before` itself when nothing changes. */
export function changedProfile(before: Profile, body: ProfileBody): Profile {
  refuseOtherKey(before, body.key);
  const changed = { ...before, ...readBody(body, before) };
  return canonicalJson(changed) === canonicalJson(before) ? before : changed;
}

/** The key cannot change, since monitors and scenarios refer to it. */
function refuseOtherKey({ key }: Profile, wanted: string): void {
  if (wanted === key) return;
  const message = `cannot be changed from ${key}; create another profile instead`;
  refuseProblems([{ path: 'key', code: 'invalid_value', message }]);
}

/** Masked headers stay as they are stored. */
function readBody(
  { key, name, set }: ProfileBody,
  before: Profile | null,
): Pick<Profile, 'key' | 'name' | 'set'> {
  const values = unmaskHeaders(set, before?.set ?? {});
  refuseMasks(values);
  return { key, name, set: Object.fromEntries(Object.entries(values).filter(isJsonEntry)) };
}

/** Bodies come from the JSON parser. */
function isJsonEntry(entry: [string, unknown]): entry is [string, JsonValue] {
  return entry[1] !== undefined;
}

function refuseMasks({ headers }: Readonly<Record<string, unknown>>): void {
  const names = Object.entries(isRecord(headers) ? headers : {}).filter(
    ([, value]) => value === HEADER_MASK,
  );
  refuseProblems(
    names.map(([name]) => ({
      path: `set.headers.${name}`,
      code: 'invalid_value',
      message: 'is masked, and no value is stored for it; give the value',
    })),
  );
}

/**
 * Throws `in_use` with the objects that use the profile. If something begins to use it at the same time, the profile
 * stays, or the other write is refused.
 */
export async function deleteProfile(
  needs: Dependencies,
  accountId: string,
  change: ObjectChange,
): Promise<void> {
  const kind = profileKind(needs);
  const removed: Profile[] = [];
  await removeObject(needs, kind, { ...change, accountId }, async (profile) => {
    await refuseUsed(needs, profile);
    removed.push(profile);
  });
  const [profile] = removed.slice(-1);
  if (profile === undefined) return;
  // A write that found the profile before its removal is visible now; later ones find none and are undone.
  await orUndo(
    needs,
    () => refuseUsed(needs, profile),
    () => needs.stores.profiles.create(accountId, profile),
  );
}

const NAMED_MAX = 20;

async function refuseUsed(needs: Dependencies, { accountId, key }: Profile): Promise<void> {
  const { stores } = needs;
  const account = await stores.accounts.find(accountId);
  const users = [
    ...(account?.defaultProfile === key ? [{ id: account.id, name: account.name }] : []),
    ...(await findUsers(stores.monitors, accountId, { profile: key })),
    ...(await findUsers(stores.scenarios, accountId, { profile: key })),
  ];
  if (users.length === 0) return;
  const errors = users.slice(0, NAMED_MAX).map(({ id, name }) => ({
    path: id,
    code: 'in_use',
    message: id === account?.id ? 'has it as its default profile' : `is used by “${name}”`,
  }));
  const message = 'The account, monitors or scenarios use this profile. Change them first.';
  throw new AppError('in_use', message, { errors });
}
