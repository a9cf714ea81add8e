/**
 * Helpers for tests that run random orders of events. They provide the number of orders and their seed, and gates that
 * hold events back. They also check the schedule that slots and named gaps must cover.
 */
import { temporal } from '@temporalio/proto';
import type { ExcludedPeriod, Gap } from '../../../src/contracts/records';
import { testSeed } from '../../support/test-seed';
import { testSize } from '../../support/test-size';
import type { VirtualService } from '../virtual-service';

const { EventType } = temporal.api.enums.v1;

/** The number of orders of each test, and the seed. A failure prints the seed. */
export const ORDERS = {
  numRuns: testSize('orders', { ci: 12, long: 400 }),
  seed: testSeed(),
  endOnFailure: true,
};

/** Creates a gate. Callers pass it while it is open, and otherwise wait. */
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

/**
 * Resolves to the status with which the workflow ended. If the workflow does not end, throws an error with its history.
 */
export function endOf(service: VirtualService, workflowId: string): Promise<string> {
  const handle = service.client.workflow.getHandle(workflowId);
  return withHistory(service, workflowId, () =>
    service.until(`the end of ${workflowId}`, async () => {
      const { status } = await handle.describe();
      return status.name === 'RUNNING' ? undefined : status.name;
    }),
  );
}

/** Calls `wait`. If it fails, adds the history of the workflow to the error. */
export async function withHistory<Found>(
  { client }: VirtualService,
  workflowId: string,
  wait: () => Promise<Found>,
): Promise<Found> {
  try {
    return await wait();
  } catch (error) {
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    const types = (events ?? []).map(({ eventId, eventTime, eventType }) => {
      const at = new Date(Number(eventTime?.seconds) * 1_000).toISOString().slice(11, 19);
      return `${at} ${String(eventId)} ${EventType[eventType ?? 0]}`.replace('EVENT_TYPE_', '');
    });
    throw new Error(`${String(error)}\n${types.join('\n')}`, { cause: error });
  }
}

/** The fields of a slot's record that concern the schedule. */
export interface GridRecord {
  readonly slotMs: number;
  readonly gap: Gap | null;
  readonly excludedPeriods: readonly ExcludedPeriod[];
  readonly gridSlotMs?: number;
}

/**
 * Expects that slots and named gaps cover the schedule exactly once, and that neither contains slots in a pause. `all`
 * also contains records of requested checks, in storage order. The first record after a pause must report the pause,
 * and no record may claim more progress than there was.
 */
export function expectCoveredGrid(
  all: readonly (GridRecord & { readonly kind: string })[],
  intervalMs: number,
): void {
  const records = all.filter(({ kind }) => kind === 'scheduled');
  const pauses = all
    .flatMap(({ excludedPeriods }) => excludedPeriods)
    .filter(({ state }) => state === 'paused');
  const coveredBy = (stored: typeof records): readonly number[] => {
    const slots = [...new Set(stored.map(({ slotMs }) => slotMs))];
    const named = stored.flatMap(({ gap }) =>
      gap === null ? [] : slotsOf(gap, pauses, intervalMs),
    );
    return [...slots, ...named].toSorted((one, other) => one - other);
  };
  const covered = coveredBy(records);
  const [first = 0] = covered;
  const last = covered.at(-1) ?? Number.NEGATIVE_INFINITY;
  const wanted: number[] = [];
  for (let slotMs = first; slotMs <= last; slotMs += intervalMs)
    if (covered.includes(slotMs) || !isWithin(pauses, slotMs)) wanted.push(slotMs);
  expect({ covered, records: covered.length === wanted.length ? [] : records }).toEqual({
    covered: wanted,
    records: [],
  });
  for (const [index, { kind, slotMs, gridSlotMs = slotMs }] of all.entries()) {
    if (kind !== 'manual') continue;
    const stored = coveredBy(all.slice(0, index).filter((one) => one.kind === 'scheduled'));
    const passedBy = wanted.filter((due) => due <= gridSlotMs && !stored.includes(due));
    expect({ passedBy, records: passedBy.length === 0 ? [] : all.slice(0, index + 2) }).toEqual({
      passedBy: [],
      records: [],
    });
  }
}

function isWithin(pauses: readonly ExcludedPeriod[], slotMs: number): boolean {
  return pauses.some(({ fromMs, toMs }) => fromMs <= slotMs && slotMs <= toMs);
}

/** Returns the slots of a gap. A gap counts the slots before and after a pause, but none inside it. */
function slotsOf(
  { fromSlotMs, toSlotMs, slots }: Gap,
  pauses: readonly ExcludedPeriod[],
  intervalMs: number,
): readonly number[] {
  const length = Math.round((toSlotMs - fromSlotMs) / intervalMs) + 1;
  const all = Array.from({ length }, (_, index) => fromSlotMs + index * intervalMs);
  const inPause = (slotMs: number): boolean =>
    pauses.some(({ fromMs, toMs }) => fromMs < slotMs && slotMs <= toMs);
  const counted = slots === length ? all : all.filter((slotMs) => !inPause(slotMs));
  expect({ counted: counted.length, pauses }).toEqual({ counted: slots, pauses });
  expect(
    counted.filter((slotMs) => pauses.some(({ fromMs, toMs }) => fromMs < slotMs && slotMs < toMs)),
  ).toEqual([]);
  return counted;
}
