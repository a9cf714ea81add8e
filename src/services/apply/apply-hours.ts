/** Hours of a set, in the same form as they are stored. */
import type { ServiceHours } from '../../models/maintenance/hours';
import { hoursBody } from '../../schemas/hours/hours';
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
import { keyedKind } from './apply-keyed';
import type { ApplyKind, Entry } from './apply-kind';
import type { ApplyNeeds } from './apply-needs';

/** `needs` finds stored hours, `ApplyNeeds.needs` also planned ones. */
export function hoursKind(
  accountId: string,
  { hours: known }: ApplyNeeds,
  needs: Dependencies,
): ApplyKind {
  return keyedKind({
    list: 'hours',
    names: 'hours',
    max: HOURS_MAX,
    defaults: { timeZone: 'UTC', holidays: [] },
    known,
    listAll: () => needs.stores.hours.listAll(accountId),
    buildView,
    readBody: (sent, stored) => readChange(hoursBody, { sent, stored }),
    build: (body) => newHours(needs, accountId, body),
    store: (hours) => storeHours(needs, hours),
    planChange: (before, body) => changedHours(needs, before, body),
    replace: (id, body) => replaceHours(needs, accountId, { id, body, accept: anyVersion }),
    remove: (id) => deleteHours(needs, accountId, { id, accept: anyVersion }),
  });
}

function buildView({ key, name, timeZone, weekly, holidays }: ServiceHours): Entry {
  return { key, name, timeZone, weekly, holidays };
}
