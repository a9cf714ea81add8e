/**
 * The timeline of a resource: one document per change of its health, as a whole and per region,
 * and one per finished period of pause or maintenance. Nothing is written while nothing changes.
 */
import type { Model } from 'mongoose';
import type {
  ExcludedPeriod,
  Health,
  HealthChange,
  MonitorCheckRecord,
  ScenarioSlotRecord,
} from '../../contracts/records';
import type { TimeSpan } from '../../domain/health/summary';
import type { Timeline } from '../../domain/health/timeline';
import { isDuplicatesOnly } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { between } from '../store/filters';
import { resultIdFrom } from './result-id';

/** The health of a resource over time. */
export interface TimelineStore {
  /** What is needed to know each instant of the span; region null: as a whole. */
  readonly read: (
    accountId: string,
    query: TimeSpan & { readonly id: string; readonly region: string | null },
  ) => Promise<Timeline>;
}

/** Stands for all regions together; no region can have this name. */
const WHOLE = '*';
/** Where the excluded periods of a resource stand among its timelines. */
const SPELLS = '!';

/** Spells that are read for one answer; far more than people can make. */
const EXCLUDED_PERIODS_MAX = 5_000;

export interface HealthChangeDocument {
  /** `<resource>:<region or *>:<instant>`, or `<resource>:!:<instant><state>` for a period. */
  readonly _id: string;
  readonly a: string;
  readonly at: number;
  readonly s: Health | ExcludedPeriod['state'];
  /** The end of a period. */
  readonly to?: number;
}

export const healthChangeCollection = defineCollection<HealthChangeDocument>(
  'healthChanges',
  { a: String, at: Number, s: String, to: Number },
  { indexes: [], clustered: true },
);

type SlotRecord = Pick<
  MonitorCheckRecord | ScenarioSlotRecord,
  'accountId' | 'slotMs' | 'gap' | 'excludedPeriods' | 'health' | 'healthSinceMs' | 'regionsHealth'
>;

/** What a recorded slot adds to the timeline; empty for a slot at which nothing changed. */
export function timelineOf(id: string, record: SlotRecord): readonly HealthChangeDocument[] {
  const { accountId: a, slotMs, gap, excludedPeriods } = record;
  // Nobody looked since the first missed slot, until this one.
  const blindFromMs = gap?.reason === 'missed' && gap.fromSlotMs < slotMs ? gap.fromSlotMs : null;
  const all = [
    { region: WHOLE, health: record.health, sinceMs: record.healthSinceMs },
    ...record.regionsHealth,
  ];
  const changes = all.flatMap(({ region, health, sinceMs }) => {
    const change = (atMs: number, s: Health): HealthChangeDocument => ({
      _id: resultIdFrom(id, region, atMs),
      a,
      at: atMs,
      s,
    });
    if (blindFromMs !== null) return [change(blindFromMs, 'unknown'), change(slotMs, health)];
    return sinceMs === slotMs ? [change(slotMs, health)] : [];
  });
  return [...changes, ...excludedPeriods.map((period) => periodDocument(id, a, period))];
}

function periodDocument(id: string, a: string, { state, fromMs, toMs }: ExcludedPeriod) {
  const _id = resultIdFrom(id, SPELLS, fromMs) + state;
  return { _id, a, at: fromMs, s: state, to: toMs };
}

/** Stores what is not there yet. */
export async function insertChanges(
  changes: Model<HealthChangeDocument>,
  documents: readonly HealthChangeDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  try {
    await changes.insertMany([...documents], { ordered: false, lean: true });
  } catch (error) {
    if (!isDuplicatesOnly(error)) throw error;
  }
}

export function createTimelineStore(changes: Model<HealthChangeDocument>): TimelineStore {
  return {
    async read(accountId, { id, region, fromMs, toMs }): Promise<Timeline> {
      const name = region ?? WHOLE;
      const firstId = resultIdFrom(id, name, fromMs);
      const [before, inside, excludedPeriods] = await Promise.all([
        changes
          .find({ _id: between(`${id}:${name}:`, firstId), a: accountId })
          .sort({ _id: -1 })
          .limit(1)
          .lean<HealthChangeDocument[]>(),
        changes
          .find({ _id: between(firstId, resultIdFrom(id, name, toMs)), a: accountId })
          .sort({ _id: 1 })
          .lean<HealthChangeDocument[]>(),
        changes
          .find({
            _id: between(`${id}:${SPELLS}:`, resultIdFrom(id, SPELLS, toMs)),
            a: accountId,
          })
          .sort({ _id: -1 })
          .limit(EXCLUDED_PERIODS_MAX)
          .lean<HealthChangeDocument[]>(),
      ]);
      return {
        changes: [...before, ...inside].flatMap(toChange),
        excludedPeriods: excludedPeriods
          .flatMap(toExcludedPeriod)
          .filter((period) => period.toMs > fromMs),
      };
    },
  };
}

function toChange({ at, s }: HealthChangeDocument): HealthChange[] {
  return s === 'paused' || s === 'maintenance' ? [] : [{ atMs: at, health: s }];
}

function toExcludedPeriod({ at, s, to }: HealthChangeDocument): ExcludedPeriod[] {
  if ((s !== 'paused' && s !== 'maintenance') || to === undefined) return [];
  return [{ state: s, fromMs: at, toMs: to }];
}
