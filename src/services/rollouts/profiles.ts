/** Profiles as a resource. Also updates the resources that use a changed profile. */

import type { JsonValue } from '../../contracts/definition';
import { isRecord } from '../../contracts/json';
import { HEADER_MASK } from '../../domain/secrets/sensitive-headers';
import type { Profile } from '../../models/resources/profiles';
import { isSameJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import { readRecord } from '../../schemas/loose';
import { type ProfileBody, profileBody } from '../../schemas/profiles/profile';
import type { ProfileResponse } from '../../schemas/responses/profiles';
import type { RolloutPlanResponse } from '../../schemas/responses/rollouts';
import { refuseProblems } from '../lists/field-problems';
import { findUsers } from '../lists/find-users';
import { readChange } from '../lists/read-change';
import { runOrCompensate } from '../lists/run-or-compensate';
import {
  type BodyChange,
  type ChangeContext,
  type Changer,
  defineObjectType,
  type Entry,
  findTypedObject,
  type ObjectType,
  refuseOtherKey,
  refuseUsed,
} from '../objects/object-type';
import {
  anyVersion,
  changeObject,
  type OwnedChange,
  presentObject,
  removeObject,
} from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { unmaskHeaders } from '../profiles/unmask-headers';
import { toBody, withChannelKeys } from '../resources/resolve-alerts';
import type { RolloutPlan } from './plan-rollout';
import {
  listUserIds,
  planProfile,
  refuseProfilePlan,
  startStoredRollout,
} from './roll-out-profile';
import { requireRolloutTurn } from './rollout-queue';
import { presentPlan } from './set-fields';

const TEMPORAL_PING_WITHIN_MS = 2_000;

/**
 * Profiles. A change of a profile starts a rollout of the new values. If a resource would become invalid, nothing is
 * stored.
 */
export const PROFILES: ObjectType<Profile, ProfileBody, ProfileResponse> = defineObjectType(
  {
    idKind: 'profile',
    name: 'profile',
    names: 'profiles',
    list: 'profiles',
    plural: 'profiles',
    max: 100,
    shape: profileBody,
    readOnlyFields: ['id', 'version', 'rolloutId', 'createdAt', 'updatedAt'],
    defaults: {},
    getStore: ({ profiles }) => profiles,
  },
  (needs) => ({
    present: presentProfile,
    listAll: needs.stores.profiles.listAll,
    build: (made, body) => ({
      ...made,
      ...readBody(body, null),
      setVersion: made.version,
      rollout: null,
    }),
    change: planChange,
    replace: ({ body, ...change }, { actor, statedIds: except }) =>
      changeSet(needs, { ...change, actor, except }, (before) => changeProfile(before, body)),
    remove: (change) => removeProfile(needs, change),
    buildEntry: ({ key, name, set }, context) => ({
      key,
      name,
      set: withChannelKeys(set, context),
    }),
    readEntry: (sent, stored, context) =>
      readChange(profileBody, {
        sent: withChannelIds(sent, context),
        stored: stored && withChannelIds(stored.entry, context),
      }),
  }),
);

function presentProfile({ setVersion: _version, rollout, ...profile }: Profile): ProfileResponse {
  return { ...presentObject(profile), rolloutId: rollout?.id ?? null };
}

/** Returns the changed profile. Throws one error that lists the problems of all resources that use the profile. */
async function planChange(
  before: Profile,
  body: ProfileBody,
  { needs, statedIds }: ChangeContext,
): Promise<Profile> {
  const profile = changeProfile(before, body);
  if (profile.setVersion === before.setVersion) return profile;
  const ids = (await listUserIds(needs, before)).filter((id) => !statedIds.has(id));
  refuseProfilePlan(await planProfile(needs, profile, ids), profile);
  return profile;
}

/**
 * Replaces keys of channels by ids. A `set` that is not an object stays unchanged, because the schema refuses it later.
 */
function withChannelIds(entry: Entry, context: ChangeContext): Entry {
  const set = readRecord(entry['set']);
  return set['alerts'] === undefined ? entry : { ...entry, set: toBody(set, context) };
}

interface SetChange extends OwnedChange, Changer {
  /** Ids of resources that the caller changes together with the profile. The plan does not include them. */
  readonly except?: ReadonlySet<string> | undefined;
  /** Id of the new rollout. By default, a new id. */
  readonly rolloutId?: string;
  readonly undoes?: string;
}

async function changeSet(
  needs: Dependencies,
  { actor, except, rolloutId, undoes, ...change }: SetChange,
  apply: (before: Profile) => Profile,
): Promise<Profile> {
  let plan: RolloutPlan | undefined;
  const changed = await changeObject(needs, PROFILES.bind(needs), change, async (before) => {
    const next = apply(before);
    if (isSameJson(next.set, before.set)) return next;
    const ids = await listUserIds(needs, before);
    if (ids.length > 0) await requireRolloutTurn(needs, change.accountId);
    const planned = ids.filter((id) => except?.has(id) !== true);
    plan = await planProfile(needs, next, planned);
    refuseProfilePlan(plan, next);
    const id = rolloutId ?? needs.newId('rollout');
    const marks = { actor, before: before.set, ...(undoes !== undefined && { undoes }) };
    if (ids.length > 0) await needs.gateway.ping(TEMPORAL_PING_WITHIN_MS);
    return { ...next, rollout: ids.length === 0 ? null : { id, isPending: true, ...marks } };
  });
  await startStoredRollout(needs, changed, plan);
  return changed;
}

/** Plans how the change would affect the resources that use the profile. Stores nothing. */
export async function previewProfile(
  needs: Dependencies,
  { accountId, id, accept, body }: BodyChange<ProfileBody>,
): Promise<{ readonly stored: ProfileResponse; readonly plan: RolloutPlanResponse }> {
  const before = await findTypedObject(needs, PROFILES, { accountId, id });
  accept(before.version);
  const changed = changeProfile(before, body);
  const isSame = isSameJson(changed.set, before.set);
  const ids = isSame ? [] : await listUserIds(needs, before);
  const plan = presentPlan(await planProfile(needs, changed, ids), ids.length);
  return { stored: presentProfile(before), plan };
}

/**
 * Stores the values from before the rollout. Throws `not_undoable` if the profile has changed since the rollout. Safe
 * to repeat.
 */
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
    await changeSet(needs, { ...changer, ...change }, (before) => {
      if (before.rollout?.id !== rolloutId)
        throw new AppError('not_undoable', `The profile ${key} has been changed since.`);
      return withSet(before, before.rollout.before);
    });
  }
  return listUserIds(needs, profile);
}

/** Returns the changed profile. If nothing changes, returns `before` itself. */
function changeProfile(before: Profile, body: ProfileBody): Profile {
  refuseOtherKey(before.key, body.key, 'another profile');
  const { name, set } = readBody(body, before);
  return name === before.name ? withSet(before, set) : { ...withSet(before, set), name };
}

/** Returns the profile with these values. If nothing changes, returns `before` itself. */
function withSet(before: Profile, set: Profile['set']): Profile {
  if (isSameJson(set, before.set)) return before;
  return { ...before, set, setVersion: before.version + 1 };
}

/** Reads the body. Masked headers keep their stored value. */
function readBody(
  { key, name, set }: ProfileBody,
  before: Profile | null,
): Pick<Profile, 'key' | 'name' | 'set'> {
  const values = unmaskHeaders(set, before?.set ?? {});
  refuseMasks(values);
  return { key, name, set: Object.fromEntries(Object.entries(values).filter(isJsonEntry)) };
}

/** True for every entry, because bodies come from the JSON parser. */
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
 * Removes the profile. Throws `in_use` with the objects that use it. If another write starts to use the profile at the
 * same time, either the removal or the other write is refused.
 */
async function removeProfile(needs: Dependencies, change: OwnedChange): Promise<void> {
  const removed: Profile[] = [];
  await removeObject(needs, PROFILES.bind(needs), change, async (profile) => {
    await refuseUsedProfile(needs, profile);
    removed.push(profile);
  });
  const [profile] = removed.slice(-1);
  if (profile === undefined) return;
  // A write that found the profile before its removal is now visible to this check. A later write does not find the
  // profile and is undone.
  await runOrCompensate(
    needs,
    () => refuseUsedProfile(needs, profile),
    () => needs.stores.profiles.create(change.accountId, profile),
  );
}

async function refuseUsedProfile(
  { stores }: Dependencies,
  { accountId, key }: Profile,
): Promise<void> {
  const account = await stores.accounts.find(accountId);
  const users = [
    ...(account?.defaultProfile === key ? [{ id: account.id, name: account.name }] : []),
    ...(await findUsers(stores.monitors, accountId, { profile: key })),
    ...(await findUsers(stores.scenarios, accountId, { profile: key })),
  ];
  const message = 'The account, monitors or scenarios use this profile. Change them first.';
  refuseUsed(users, message, ({ id, name }) =>
    id === account?.id ? 'has it as its default profile' : `is used by “${name}”`,
  );
}
