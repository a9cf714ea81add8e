/**
 * Tools for tests that play random orders of events: how many orders and from which seed, gates that
 * hold events back, and the grid that slots and named gaps must cover.
 */
import { temporal } from '@temporalio/proto';
import type { Gap, Spell } from '../../../src/contracts/records';
import { waitUntil } from '../../support/wait-until';
import type { VirtualService } from '../virtual-service';

const { EventType } = temporal.api.enums.v1;
const SEED = process.env['KEEPWATCH_TEST_SEED'];

/** Orders of each test; a failure prints its seed. */
export const ORDERS = {
  numRuns: Number(process.env['KEEPWATCH_TEST_ORDERS'] ?? 2),
  endOnFailure: true,
  ...(SEED === undefined ? {} : { seed: Number(SEED) }),
};

/** Something that is passed while it is open. */
export function createGate() {
  let open = (): void => undefined;
  let passage: Promise<void> = Promise.resolve();
  return {
    passage: () => passage,
    open: () => open(),
    close: () => {
      open();
      passage = new Promise((resolve) => {
        open = resolve;
      });
    },
  };
}

/** Resolves with how the workflow ended; fails with its history when it goes on. */
export function endOf(service: VirtualService, workflowId: string): Promise<string> {
  const handle = service.environment.client.workflow.getHandle(workflowId);
  return withHistory(service, workflowId, () =>
    waitUntil(`the end of ${workflowId}`, async () => {
      const { status } = await handle.describe();
      return status.name === 'RUNNING' ? undefined : status.name;
    }),
  );
}

/** As the wait, whose failure tells the history of the workflow. */
export async function withHistory<Found>(
  { environment }: VirtualService,
  workflowId: string,
  wait: () => Promise<Found>,
): Promise<Found> {
  try {
    return await wait();
  } catch (error) {
    const { events } = await environment.client.workflow.getHandle(workflowId).fetchHistory();
    const types = (events ?? []).map(({ eventId, eventTime, eventType }) => {
      const at = new Date(Number(eventTime?.seconds) * 1_000).toISOString().slice(11, 19);
      return `${at} ${String(eventId)} ${EventType[eventType ?? 0]}`.replace('EVENT_TYPE_', '');
    });
    throw new Error(`${String(error)}\n${types.join('\n')}`, { cause: error });
  }
}

/** What the records of a slot say of the grid. */
export interface GridRecord {
  readonly slotMs: number;
  readonly gap: Gap | null;
  readonly spells: readonly Spell[];
}

/**
 * Slots and named gaps cover the grid once. Slots of a pause are in neither, nor those that a check
 * outlasted just before one.
 */
export function expectCoveredGrid(records: readonly GridRecord[], intervalMs: number): void {
  const slots = [...new Set(records.map(({ slotMs }) => slotMs))];
  const named = records.flatMap(({ gap }) => (gap === null ? [] : slotsOf(gap, intervalMs)));
  const covered = [...slots, ...named].toSorted((one, other) => one - other);
  const spells = records.flatMap((record) => record.spells);
  const holes = covered.slice(1).flatMap((slotMs, index) => {
    const before = covered[index] ?? slotMs;
    const isPaused = spells.some(({ fromMs, toMs }) => fromMs < slotMs && toMs > before);
    return slotMs - before === intervalMs || (slotMs > before && isPaused)
      ? []
      : [{ before, slotMs }];
  });
  expect({ holes, records: holes.length > 0 ? records : [] }).toEqual({ holes: [], records: [] });
  const inPause = named.filter((slotMs) =>
    spells.some(
      ({ state, fromMs, toMs }) => state === 'paused' && fromMs < slotMs && slotMs < toMs,
    ),
  );
  expect(inPause).toEqual([]);
}

function slotsOf({ fromSlotMs, toSlotMs, slots }: Gap, intervalMs: number): readonly number[] {
  expect(toSlotMs - fromSlotMs).toBe((slots - 1) * intervalMs);
  return Array.from({ length: slots }, (_, index) => fromSlotMs + index * intervalMs);
}
