/** Service hours of accounts. Outside of these hours, no one is notified, or nothing is checked. */
import type { Model } from 'mongoose';
import type { Holiday, Occurrence, OpenTime, RecurringHours } from '../../contracts/maintenance';
import { defineCollection } from '../store/define-schema';
import { readAll, readOne } from '../store/entities';
import { atMost } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import {
  createVersionedStore,
  type Stored,
  uniqueKeyIndex,
  type VersionedStore,
} from '../store/versioned-store';

/** The next closures of service hours, as computed when the calendar was last evaluated. */
export interface HoursCalendar {
  /** The current closure and the following closures, in order. */
  readonly closures: readonly Occurrence[];
  /** When the workflows of the resources with these hours must get the next closures. */
  readonly dueAtMs: number;
}

export interface ServiceHours extends RecurringHours, HoursCalendar {
  /** `hrs_…` */
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  /** Identifies the service hours in monitors and scenarios. The key is unique in the account and never changes. */
  readonly key: string;
  /** The `apply` set (`set:` in the file) that created the service hours. */
  readonly managedBy?: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface HoursStore extends VersionedStore<ServiceHours> {
  readonly findByKey: (accountId: string, key: string) => Promise<ServiceHours | null>;
  /** Lists all service hours of the account. There are only a few. */
  readonly listAll: (accountId: string) => Promise<readonly ServiceHours[]>;
  /** Lists the service hours of all accounts whose calendar is due. For housekeeping. */
  readonly listDue: (nowMs: number, limit: number) => Promise<readonly ServiceHours[]>;
  /** Stores the calendar only if the stored version is unchanged. */
  readonly storeCalendar: (
    hours: Pick<ServiceHours, 'id' | 'accountId' | 'version'>,
    calendar: HoursCalendar,
  ) => Promise<void>;
}

export type HoursDocument = Omit<Stored<ServiceHours>, 'weekly' | 'holidays'> & {
  /** ServiceHours.weekly as JSON text. */
  readonly weekly: string;
  /** Dates, and recurrence rules with the prefix `RRULE:`. */
  readonly holidays: readonly string[];
};

/** Maximum number of service hours that are read. An account may have fewer. */
const LISTED_MAX = 500;

export const hoursCollection = defineCollection<HoursDocument>(
  'hours',
  {
    accountId: String,
    version: Number,
    key: String,
    managedBy: String,
    name: String,
    timeZone: String,
    weekly: String,
    holidays: [String],
    closures: [{ _id: false, fromMs: Number, toMs: Number }],
    dueAtMs: Number,
    createdAtMs: Number,
    updatedAtMs: Number,
  },
  { indexes: [{ key: { accountId: 1, _id: -1 } }, { key: { dueAtMs: 1 } }, uniqueKeyIndex] },
);

export function createHoursStore(hours: Model<HoursDocument>): HoursStore {
  return {
    ...createVersionedStore({ model: hours, toDocument, fromDocument }),
    findByKey: (accountId, key) =>
      readOne(hours.findOne({ accountId, key }).lean<HoursDocument>(), fromDocument),
    listAll: (accountId) =>
      readAll(hours.find({ accountId }).limit(LISTED_MAX).lean<HoursDocument[]>(), fromDocument),
    listDue: (nowMs, limit) =>
      readAll(
        hours
          .find({ dueAtMs: atMost(nowMs) })
          .sort({ dueAtMs: 1 })
          .limit(limit)
          .lean<HoursDocument[]>(),
        fromDocument,
      ),
    async storeCalendar({ id, accountId, version }, { closures, dueAtMs }) {
      await hours.updateOne({ _id: id, accountId, version }, { $set: { closures, dueAtMs } });
    },
  };
}

const RULE = 'RRULE:';

function toDocument({ id, weekly, holidays, ...hours }: ServiceHours): HoursDocument {
  const stored = holidays.map((holiday) =>
    typeof holiday === 'string' ? holiday : `${RULE}${holiday.rrule}`,
  );
  return { ...hours, _id: id, weekly: toJsonText(weekly), holidays: stored };
}

function fromDocument({ _id, weekly, holidays, key, ...hours }: HoursDocument): ServiceHours {
  return {
    ...hours,
    id: _id,
    key: key ?? '',
    weekly: fromJsonText<OpenTime[]>(weekly),
    holidays: holidays.map(parseHoliday),
  };
}

function parseHoliday(stored: string): Holiday {
  return stored.startsWith(RULE) ? { rrule: stored.slice(RULE.length) } : stored;
}
