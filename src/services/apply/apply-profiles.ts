/** Profiles of a set. Alert channels can be named by key, as in monitors. */
import type { Profile } from '../../models/resources/profiles';
import { AppError } from '../../platform/errors';
import { readRecord } from '../../schemas/loose';
import { type ProfileBody, profileBody } from '../../schemas/profiles/profile';
import { readChange } from '../lists/read-change';
import { anyVersion } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import {
  changedProfile,
  deleteProfile,
  newProfile,
  PROFILES_MAX,
  replaceProfile,
  storeProfile,
} from '../rollouts/profiles';
import { listUserIds, planProfile, refuseProfilePlan } from '../rollouts/roll-out-profile';
import {
  type ApplyKind,
  type Entry,
  type ObjectPlan,
  planCreation,
  toExisting,
  type Wish,
} from './apply-kind';
import type { ApplyNeeds } from './apply-needs';
import { toBody, withChannelKeys } from './entries';

/** `needs` finds stored profiles, `ApplyNeeds.needs` also planned ones. */
export function profilesKind(accountId: string, apply: ApplyNeeds, needs: Dependencies): ApplyKind {
  const { profiles: known, actor } = apply;
  const buildView = ({ key, name, set }: Profile): Entry => {
    return { key, name, set: withChannelKeys(set, apply) };
  };
  const readEntry = ({ id: _id, ...sent }: Entry, stored: Entry | undefined): ProfileBody => {
    const view = stored && buildBody(stored, apply);
    return readChange(profileBody, { sent: buildBody(sent, apply), stored: view });
  };
  const planNew = (body: ProfileBody, set: string): ObjectPlan => {
    if (known.size >= PROFILES_MAX)
      throw new AppError('limit_reached', `An account may have at most ${PROFILES_MAX} profiles.`);
    const profile = { ...newProfile(needs, accountId, body), managedBy: set };
    const plan = planCreation(profile, known, () => storeProfile(needs, profile));
    return { ...plan, name: profile.name, after: buildView(profile) };
  };
  const planChange = async (
    body: ProfileBody,
    { existing }: Wish,
    before: Profile,
  ): Promise<ObjectPlan> => {
    const { id } = before;
    const profile = changedProfile(before, body);
    known.set(id, profile);
    const except = apply.statedIds;
    if (profile.setVersion !== before.setVersion) {
      const ids = (await listUserIds(apply.needs, before)).filter((user) => !except.has(user));
      refuseProfilePlan(await planProfile(apply.needs, profile, ids), profile);
    }
    return {
      name: profile.name,
      before: existing?.view ?? null,
      after: buildView(profile),
      carryOut: async () => {
        const change = { id, body, except, accept: anyVersion };
        await orKeep(known, before, () => replaceProfile(needs, { accountId, actor }, change));
        return { id };
      },
    };
  };
  return {
    list: 'profiles',
    async load() {
      const all = await needs.stores.profiles.listAll(accountId);
      known.clear();
      for (const profile of all) known.set(profile.id, profile);
      return all.map((profile) => toExisting(profile, buildView(profile)));
    },
    async plan(wish) {
      const { entry, existing, set } = wish;
      const body = readEntry(entry, existing?.view);
      const before = known.get(existing?.id ?? '');
      return before === undefined ? planNew(body, set) : planChange(body, wish, before);
    },
    remove: (id) => deleteProfile(needs, accountId, { id, accept: anyVersion }),
    forget: (id) => known.delete(id),
    readDefaults: async () => ({}),
  };
}

/** After an error, other objects of the set get the values that are stored. */
async function orKeep(
  known: Map<string, Profile>,
  before: Profile,
  store: () => Promise<unknown>,
): Promise<void> {
  try {
    await store();
  } catch (error) {
    known.set(before.id, before);
    throw error;
  }
}

function buildBody(entry: Entry, apply: ApplyNeeds): Entry {
  return { ...entry, ...(entry['set'] !== undefined && { set: bodySet(entry['set'], apply) }) };
}

/** The schema refuses other values. */
function bodySet(set: unknown, apply: ApplyNeeds): unknown {
  const fields = readRecord(set);
  return fields['alerts'] === undefined ? set : toBody(fields, apply);
}
