/** Creates, changes and deletes profiles. */

import type { JsonValue } from '../../contracts/definition';
import { isRecord } from '../../contracts/json';
import { HEADER_MASK } from '../../domain/secrets/sensitive-headers';
import type { AuditActor } from '../../models/accounts/audit';
import type { Profile } from '../../models/resources/profiles';
import { canonicalJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import type { ProfileBody } from '../../schemas/profiles/profile';
import type { ProfileResponse } from '../../schemas/responses/profiles';
import type { RolloutPlanResponse } from '../../schemas/responses/rollouts';
import type { Principal } from '../accounts/principal';
import { refuseProblems } from '../lists/field-problems';
import { findUsers } from '../lists/find-users';
import { runOrCompensate } from '../lists/run-or-compensate';
import {
  anyVersion,
  changeObject,
  findObject,
  newObject,
  type ObjectChange,
  type ObjectKind,
  presentObject,
  removeObject,
  storeObject,
} from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { unmaskHeaders } from '../profiles/unmask-headers';
import type { RolloutPlan } from './plan-rollout';
import {
  listUserIds,
  planProfile,
  refuseProfilePlan,
  startStoredRollout,
} from './roll-out-profile';
import { requireRolloutTurn } from './rollout-queue';
import { presentPlan } from './set-fields';

export const PROFILES_MAX = 100;
const TEMPORAL_PING_WITHIN_MS = 2_000;

export const PROFILE_READ_ONLY_FIELDS: readonly string[] = [
  'id',
  'version',
  'rolloutId',
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

function presentProfile({ setVersion: _version, rollout, ...profile }: Profile): ProfileResponse {
  return { ...presentObject(profile), rolloutId: rollout?.id ?? null };
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
  const made = newObject(needs, profileKind(needs), accountId);
  return { ...made, ...readBody(body, null), setVersion: made.version, rollout: null };
}

/** The account, and who changes it. */
export type Changer = Pick<Principal, 'accountId'> & { readonly actor: AuditActor };

interface Replacement extends ObjectChange {
  readonly body: ProfileBody;
  /** Ids of resources that are changed together with the profile. */
  readonly except?: ReadonlySet<string>;
}

/**
 * Stores the profile, and starts the rollout of the new values. If a user would become invalid, stores nothing and
 * throws one error with all problems.
 */
export async function replaceProfile(
  needs: Dependencies,
  changer: Changer,
  { body, except, ...change }: Replacement,
): Promise<ProfileResponse> {
  return presentProfile(
    await changeSet(needs, changer, { ...change, except }, (before) =>
      changedProfile(before, body),
    ),
  );
}

interface SetChange extends ObjectChange {
  readonly except?: ReadonlySet<string> | undefined;
  /** Id of the new rollout. By default, a new id. */
  readonly rolloutId?: string;
  readonly undoes?: string;
}

async function changeSet(
  needs: Dependencies,
  { accountId, actor }: Changer,
  { except, rolloutId, undoes, ...change }: SetChange,
  apply: (before: Profile) => Profile,
): Promise<Profile> {
  let plan: RolloutPlan | undefined;
  const changed = await changeObject(
    needs,
    profileKind(needs),
    { ...change, accountId },
    async (before) => {
      const next = apply(before);
      if (canonicalJson(next.set) === canonicalJson(before.set)) return next;
      const ids = await listUserIds(needs, before);
      if (ids.length > 0) await requireRolloutTurn(needs, accountId);
      const planned = ids.filter((id) => except?.has(id) !== true);
      plan = await planProfile(needs, next, planned);
      refuseProfilePlan(plan, next);
      const id = rolloutId ?? needs.newId('rollout');
      const marks = { actor, before: before.set, ...(undoes !== undefined && { undoes }) };
      if (ids.length > 0) await needs.gateway.ping(TEMPORAL_PING_WITHIN_MS);
      return { ...next, rollout: ids.length === 0 ? null : { id, isPending: true, ...marks } };
    },
  );
  await startStoredRollout(needs, changed, plan);
  return changed;
}

/** Plans how the change would affect the resources that use the profile. Stores nothing. */
export async function planReplacement(
  needs: Dependencies,
  accountId: string,
  { id, accept, body }: Omit<Replacement, 'except'>,
): Promise<{ readonly stored: ProfileResponse; readonly plan: RolloutPlanResponse }> {
  const before = await findObject(profileKind(needs), accountId, id);
  accept(before.version);
  const changed = changedProfile(before, body);
  const isSame = canonicalJson(changed.set) === canonicalJson(before.set);
  const ids = isSame ? [] : await listUserIds(needs, before);
  const plan = presentPlan(await planProfile(needs, changed, ids), ids.length);
  return { stored: presentProfile(before), plan };
}

/** Stores the values from before the rollout. Throws `not_undoable` if the profile has changed since. May be repeated. */
export async function undoProfileRollout(
  needs: Dependencies,
  changer: Changer,
  {
    rolloutId,
    key,
    undoId,
  }: { readonly rolloutId: string; readonly key: string; readonly undoId: string },
): Promise<readonly string[]> {
  const { accountId } = changer;
  const profile = await needs.stores.profiles.findByKey(accountId, key);
  if (profile === null)
    throw new AppError('not_undoable', `The profile ${key} does not exist any more.`);
  if (profile.rollout?.id !== undoId) {
    const change = { id: profile.id, accept: anyVersion, rolloutId: undoId, undoes: rolloutId };
    await changeSet(needs, changer, change, (before) => {
      if (before.rollout?.id !== rolloutId)
        throw new AppError('not_undoable', `The profile ${key} has been changed since.`);
      return withSet(before, before.rollout.before);
    });
  }
  return listUserIds(needs, profile);
}

/** Returns `before` itself when nothing changes. */
export function changedProfile(before: Profile, body: ProfileBody): Profile {
  refuseOtherKey(before, body.key);
  const { name, set } = readBody(body, before);
  return name === before.name ? withSet(before, set) : { ...withSet(before, set), name };
}

/** Returns `before` itself when nothing changes. */
function withSet(before: Profile, set: Profile['set']): Profile {
  if (canonicalJson(set) === canonicalJson(before.set)) return before;
  return { ...before, set, setVersion: before.version + 1 };
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
 * Throws `in_use` with the objects that use the profile. If another write begins to use the profile at the same time,
 * the profile stays, or the other write is refused.
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
  // A write that found the profile before its removal is visible now. Later writes do not find the profile and are
  // undone.
  await runOrCompensate(
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
