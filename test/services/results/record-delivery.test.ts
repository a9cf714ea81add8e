/** Tests the outcome of each result when a probe delivers several results. */
import type { Gap } from '../../../src/contracts/records';
import type { WatchedResult } from '../../../src/contracts/watches';
import { watchId } from '../../../src/domain/health/watches';
import type { Result } from '../../../src/models/results/result';
import { recordDelivery } from '../../../src/services/results/record-delivery';
import { FIRST_SLOT_MS, passingOutcome } from '../../models/example-records';

const MINUTE = 60_000;
const REGION = 'eu-west';
const NOW = FIRST_SLOT_MS + 60 * MINUTE;
const slotAt = (index: number) => FIRST_SLOT_MS + index * MINUTE;

function resultOf(monitorId: string, index: number, gap: Gap | null = null): WatchedResult {
  const slotMs = slotAt(index);
  const at = new Date(slotMs + 20).toISOString();
  const outcome = passingOutcome({ startedAt: at, finishedAt: at });
  const ids = { accountId: 'acc_1', monitorId, revision: 1 };
  return { ...ids, slotMs, nextSlotMs: slotMs + MINUTE, outcome, gap };
}

function gapOf(from: number, to: number): Gap {
  const span = { fromSlotMs: slotAt(from), toSlotMs: slotAt(to) };
  return { ...span, reason: 'missed', slots: to - from + 1 };
}

/** Returns stores with monitors. Each monitor has a stored slot 1, a measured slot 2, and health up since `since`. */
function storesOf(ids: readonly string[], since: number, change: object = {}) {
  const inserted: Result[] = [];
  const nothing = async (): Promise<void> => undefined;
  const base = { accountId: 'acc_1', health: 'up', healthSinceMs: slotAt(since) };
  const statusOf = (_id: string) => ({
    ...base,
    _id,
    lastSlotMs: slotAt(1),
    summarisedUntilMs: FIRST_SLOT_MS,
    regionsHealth: [
      { region: REGION, health: 'up', sinceMs: slotAt(since), lastResponseTimeMs: 1 },
    ],
  });
  const grid = {
    accountId: 'acc_1',
    revision: 1,
    regions: [REGION],
    state: 'active',
    pausedUntilMs: null,
  };
  const every = <Value>(value: (id: string) => Value) => new Map(ids.map((id) => [id, value(id)]));
  const watchedResults = {
    readGrids: async () =>
      every(() => ({ ...grid, anchorMs: FIRST_SLOT_MS, intervalMs: MINUTE, ...change })),
    readStatuses: async () => every(statusOf),
    isMeasured: async (_id: string, _region: string, gap: Gap) => gap.fromSlotMs <= slotAt(2),
    findStored: async () => new Set<string>(),
    insertResults: async (results: readonly Result[]) => void inserted.push(...results),
    advanceStatuses: async () => true,
    saveEvidence: nothing,
    insertChanges: nothing,
    summariseHours: nothing,
  };
  const holders = new Map(ids.map((id) => [watchId(id, REGION), { instance: 'probe' }]));
  const stores = { watchedResults, watches: { findHolders: async () => holders } };
  return { needs: { stores, clock: { now: () => NOW } } as never, inserted };
}

const BEFORE = { anchorMs: slotAt(4) + 1 };

test.each([
  ['is stored', resultOf('mon_1', 4), BEFORE, 'stored'],
  ['is stored with the gap before it', resultOf('mon_1', 4, gapOf(3, 3)), BEFORE, 'stored'],
  ['is refused after the change', resultOf('mon_1', 5), BEFORE, 'outdated'],
  [
    'is refused with a gap between its slots',
    resultOf('mon_1', 4, { ...gapOf(3, 3), slots: 2 }),
    BEFORE,
    'outdated',
  ],
  [
    'is refused with an interval that no monitor can have',
    { ...resultOf('mon_1', 4), nextSlotMs: slotAt(4) + 1_000 },
    BEFORE,
    'outdated',
  ],
] as const)(
  'a result on the schedule before a change of the interval %s',
  async (_, result, change, receipt) => {
    const { needs } = storesOf(['mon_1'], 0, change);
    const delivery = { region: REGION, instance: 'probe', results: [result] };
    expect(await recordDelivery(needs, delivery)).toEqual([receipt]);
  },
);

test.each([
  ['over a stored slot', gapOf(2, 2), 0],
  ['that begins before the health of its region', gapOf(3, 3), 4],
])(
  'if a result with a gap %s is refused, later results of the same monitor are refused, too',
  async (_, gap, since) => {
    const { needs, inserted } = storesOf(['mon_1', 'mon_2'], since);
    const results = [
      resultOf('mon_1', 4, gap),
      resultOf('mon_2', 4),
      resultOf('mon_1', 5),
      resultOf('mon_2', 5),
    ];
    const receipts = await recordDelivery(needs, { region: REGION, instance: 'probe', results });
    expect(receipts).toEqual(['outdated', 'stored', 'outdated', 'stored']);
    expect(inserted.map(({ monitorId }) => monitorId)).toEqual(['mon_2', 'mon_2']);
  },
);
