/** Hours of a set, in the same form as they are stored. */
import type { ServiceHours } from '../../models/maintenance/hours';
import { AppError } from '../../platform/errors';
import { type HoursBody, hoursBody } from '../../schemas/hours/hours';
import { readChange } from '../lists/read-change';
import {
  changedHours,
  deleteHours,
  HOURS_MAX,
  newHours,
  replaceHours,
  storeHours,
} from '../maintenance/hours';
import { anyVersion } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import {
  type ApplyKind,
  type Entry,
  type Existing,
  type ObjectPlan,
  planCreation,
  toExisting,
} from './apply-kind';
import type { ApplyNeeds } from './apply-needs';

const DEFAULTS: Entry = { timeZone: 'UTC', holidays: [] };

/** `needs` finds only stored hours; `ApplyNeeds.needs` also finds planned hours. */
export function hoursKind(
  accountId: string,
  { hours: known }: ApplyNeeds,
  needs: Dependencies,
): ApplyKind {
  const planNew = (body: HoursBody, set: string): ObjectPlan => {
    if (known.size >= HOURS_MAX)
      throw new AppError('limit_reached', `An account may have at most ${HOURS_MAX} hours.`);
    const hours = { ...newHours(needs, accountId, body), managedBy: set };
    const plan = planCreation(hours, known, () => storeHours(needs, hours));
    return { ...plan, name: hours.name, after: buildView(hours) };
  };

  const planChange = (
    body: HoursBody,
    { id, view }: Existing,
    before: ServiceHours,
  ): ObjectPlan => {
    const hours = changedHours(needs, before, body);
    known.set(id, hours);
    return {
      name: hours.name,
      before: view,
      after: buildView(hours),
      carryOut: async () => {
        await replaceHours(needs, accountId, { id, body, accept: anyVersion });
        return { id };
      },
    };
  };

  return {
    list: 'hours',
    async load() {
      const all = await needs.stores.hours.listAll(accountId);
      known.clear();
      for (const hours of all) known.set(hours.id, hours);
      return all.map((hours) => toExisting(hours, buildView(hours)));
    },
    plan: async ({ entry, existing, set }) => {
      const body = readEntry(entry, existing?.view);
      const before = existing === null ? undefined : known.get(existing.id);
      return existing === null || before === undefined
        ? planNew(body, set)
        : planChange(body, existing, before);
    },
    remove: (id) => deleteHours(needs, accountId, { id, accept: anyVersion }),
    readDefaults: async () => DEFAULTS,
  };
}

function readEntry({ id: _id, ...sent }: Entry, stored: Entry | undefined): HoursBody {
  return readChange(hoursBody, { sent, stored });
}

function buildView({ key, name, timeZone, weekly, holidays }: ServiceHours): Entry {
  return { key, name, timeZone, weekly, holidays };
}
