/**
 * The watches of each probe process, and when the process was last seen. A watch is a long activity that repeats steady
 * checks. A document may exist longer than its watch. Temporal then refuses the token in the document.
 */
import type { Model } from 'mongoose';
import type { LostProbe } from '../../contracts/watches';
import { watchId } from '../../domain/health/watches';
import type { StatusDocument } from '../results/statuses';
import { defineCollection } from '../store/define-schema';
import { readOne } from '../store/entities';
import { atLeast, below, between, justAfter, matchAny } from '../store/filters';

/** A watch of a monitor and region, and the probe that runs it. */
export interface WatchHolder {
  readonly accountId: string;
  readonly monitorId: string;
  readonly region: string;
  readonly instance: string;
  /** The task token of the activity's attempt, in base64. */
  readonly taskToken: string;
  readonly openedAtMs: number;
}

/** A probe process, in the form in which it describes itself. */
export interface ProbeInstance extends LostProbe {
  readonly lastSeenAtMs: number;
  /** The time since which the process has reported without long pauses. */
  readonly heardSinceMs: number;
}

/** Counts what happened to the watches of a region since the region was first seen. */
export interface WatchTotals {
  readonly region: string;
  /** The number of watches that another probe took over because their probe was lost. */
  readonly handedOver: number;
  /** The number of overdue watches that housekeeping returned to their workflows. */
  readonly returned: number;
}

export interface WatchStore {
  /** Stores the probes that run the watches. If a watch was opened twice, the later entry is stored. */
  readonly open: (holders: readonly WatchHolder[]) => Promise<void>;
  /** Stores that the process is alive. After a pause longer than `pauseMs`, resets `heardSinceMs` to this time. */
  readonly noteAlive: (probe: LostProbe, atMs: number, pauseMs: number) => Promise<void>;
  readonly listInstances: () => Promise<readonly ProbeInstance[]>;
  readonly findInstance: (probe: LostProbe) => Promise<ProbeInstance | null>;
  readonly hasWatches: (probe: LostProbe) => Promise<boolean>;
  /** Deletes a process that was last seen before the instant. */
  readonly forgetInstance: (probe: LostProbe, beforeMs: number) => Promise<void>;
  /** Lists all watches of a process, in the order in which their monitors are due. */
  readonly listHeldBy: (probe: LostProbe) => Promise<readonly WatchHolder[]>;
  /**
   * Finds the probes that run the watches. The result is keyed by `watchId`. Watches that no probe has opened are
   * missing.
   */
  readonly findHolders: (
    watches: readonly Pick<WatchHolder, 'monitorId' | 'region'>[],
  ) => Promise<ReadonlyMap<string, WatchHolder>>;
  /** Deletes these entries. A watch that was opened again stays. */
  readonly forget: (holders: readonly WatchHolder[]) => Promise<void>;
  readonly addToTotals: (
    region: string,
    added: Partial<Omit<WatchTotals, 'region'>>,
  ) => Promise<void>;
  readonly readTotals: () => Promise<readonly WatchTotals[]>;
}

export type WatchDocument = WatchHolder & {
  /** The id, which `watchId` builds. */
  readonly _id: string;
};

export type ProbeInstanceDocument = ProbeInstance & {
  /** The id, which `instanceId` builds. */
  readonly _id: string;
};

export type WatchTotalsDocument = Partial<Omit<WatchTotals, 'region'>> & { readonly _id: string };

export const watchCollection = defineCollection<WatchDocument>(
  'watches',
  {
    accountId: String,
    monitorId: String,
    region: String,
    instance: String,
    taskToken: String,
    openedAtMs: Number,
  },
  { indexes: [{ key: { instance: 1 } }] },
);

export const probeInstanceCollection = defineCollection<ProbeInstanceDocument>('probeInstances', {
  instance: String,
  region: String,
  lastSeenAtMs: Number,
  heardSinceMs: Number,
});

/** One document for each region. */
export const watchTotalsCollection = defineCollection<WatchTotalsDocument>('watchTotals', {
  handedOver: Number,
  returned: Number,
});

/** Builds the id of a process. A process chooses its own name, so the name is unique only within its region. */
function instanceId({ instance, region }: LostProbe): string {
  return `${region} ${instance}`;
}

export function matchWatches(monitorId: string): { $gte: string; $lt: string } {
  return between(`${monitorId} `, justAfter(monitorId));
}

interface Needs {
  readonly watches: Model<WatchDocument>;
  readonly probeInstances: Model<ProbeInstanceDocument>;
  readonly watchTotals: Model<WatchTotalsDocument>;
  readonly statuses: Model<StatusDocument>;
}

/** Maximum number of statuses that one query reads. */
const STATUSES_PER_QUERY = 1_000;

export function createWatchStore(needs: Needs): WatchStore {
  return { ...createHolders(needs), ...createInstances(needs), ...createTotals(needs) };
}

type Holders = Pick<WatchStore, 'open' | 'listHeldBy' | 'findHolders' | 'forget'>;
type Totals = Pick<WatchStore, 'addToTotals' | 'readTotals'>;

function createHolders({ watches, statuses }: Needs): Holders {
  return {
    async open(holders) {
      if (holders.length === 0) return;
      const writes = holders.map((holder) => ({
        updateOne: {
          filter: { _id: watchId(holder.monitorId, holder.region) },
          update: { $set: holder },
          upsert: true,
        },
      }));
      await watches.bulkWrite(writes, { ordered: false });
    },
    async listHeldBy({ instance, region }) {
      const held = await watches.find({ instance, region }).lean<WatchDocument[]>();
      const nextSlotOf = await readNextSlots(statuses, held);
      const dueMs = ({ monitorId }: WatchHolder) => nextSlotOf.get(monitorId) ?? 0;
      return held.map(toHolder).sort((one, other) => dueMs(one) - dueMs(other));
    },
    async findHolders(asked) {
      const ids = asked.map(({ monitorId, region }) => watchId(monitorId, region));
      const found = await watches.find({ _id: matchAny(ids) }).lean<WatchDocument[]>();
      return new Map(found.map((document) => [document._id, toHolder(document)]));
    },
    async forget(holders) {
      if (holders.length === 0) return;
      const ids = holders.map(({ monitorId, region }) => watchId(monitorId, region));
      // Tokens are unique per attempt, so a watch that was opened again is not matched.
      const taskToken = matchAny(holders.map((holder) => holder.taskToken));
      await watches.deleteMany({ _id: matchAny(ids), taskToken });
    },
  };
}

function createInstances({
  watches,
  probeInstances,
}: Needs): Omit<WatchStore, keyof Holders | keyof Totals> {
  return {
    async noteAlive({ instance, region }, atMs, pauseMs) {
      const _id = instanceId({ instance, region });
      const { matchedCount } = await probeInstances.updateOne(
        { _id, lastSeenAtMs: atLeast(atMs - pauseMs) },
        { $set: { lastSeenAtMs: atMs } },
      );
      if (matchedCount === 1) return;
      const instanceFields = { instance, region, lastSeenAtMs: atMs, heardSinceMs: atMs };
      await probeInstances.updateOne({ _id }, { $set: instanceFields }, { upsert: true });
    },
    async listInstances() {
      return (await probeInstances.find({}).lean<ProbeInstanceDocument[]>()).map(toInstance);
    },
    findInstance: (probe) =>
      readOne(
        probeInstances.findOne({ _id: instanceId(probe) }).lean<ProbeInstanceDocument>(),
        toInstance,
      ),
    hasWatches: async ({ instance, region }) =>
      (await watches.exists({ instance, region })) !== null,
    async forgetInstance(probe, beforeMs) {
      const lastSeenAtMs = below(beforeMs);
      await probeInstances.deleteOne({ _id: instanceId(probe), lastSeenAtMs });
    },
  };
}

function createTotals({ watchTotals }: Needs): Totals {
  return {
    async addToTotals(_id, added) {
      await watchTotals.updateOne({ _id }, { $inc: added }, { upsert: true });
    },
    async readTotals() {
      const found = await watchTotals.find({}).lean<WatchTotalsDocument[]>();
      return found.map(({ _id: region, handedOver = 0, returned = 0 }) => ({
        region,
        handedOver,
        returned,
      }));
    },
  };
}

async function readNextSlots(
  statuses: Model<StatusDocument>,
  held: readonly WatchHolder[],
): Promise<ReadonlyMap<string, number | null>> {
  const ids = [...new Set(held.map(({ monitorId }) => monitorId))];
  const nextSlotOf = new Map<string, number | null>();
  for (let start = 0; start < ids.length; start += STATUSES_PER_QUERY) {
    const _id = matchAny(ids.slice(start, start + STATUSES_PER_QUERY));
    const found = await statuses.find({ _id }, { nextSlotMs: 1 }).lean();
    for (const { _id: id, nextSlotMs } of found) nextSlotOf.set(id, nextSlotMs);
  }
  return nextSlotOf;
}

function toHolder({ _id, ...holder }: WatchDocument): WatchHolder {
  return holder;
}

function toInstance({ _id, ...instance }: ProbeInstanceDocument): ProbeInstance {
  return instance;
}
