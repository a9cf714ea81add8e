/**
 * Tests many audit events at once. They are stored in batches and in order, and a batch that fails does not affect
 * other batches.
 */
import type { AuditEvent } from '../../../src/models/accounts/audit';
import { recordChanges } from '../../../src/services/accounts/audit-events';

const CHANGES = Array.from({ length: 250 }, (_, index) => ({
  action: 'monitor.create',
  resourceType: 'monitor',
  resourceId: `mon_${index}`,
  before: null,
  after: {},
}));
const ORIGIN = {
  accountId: 'acc_1',
  actor: { type: 'user' as const, id: 'usr_1', name: 'me' },
  requestId: 'req_1',
  ip: null,
};

async function record(failing: number) {
  const lots: (readonly AuditEvent[])[] = [];
  const told: unknown[] = [];
  const add = async (_accountId: string, events: readonly AuditEvent[]): Promise<void> => {
    lots.push(events);
    if (lots.length === failing) throw new Error('no space');
  };
  const needs = {
    stores: { audit: { add } },
    clock: { now: () => 0 },
    newId: () => 'evt_1',
    notifyOperator: ({ resourceId }: Readonly<Record<string, string>>) => told.push(resourceId),
  };
  await recordChanges(needs as never, ORIGIN, CHANGES);
  return { lots: lots.map((lot) => lot.map(({ resourceId }) => resourceId)), told };
}

const IDS = CHANGES.map(({ resourceId }) => resourceId);

it('all audit events are stored in order, at most a hundred at a time', async () => {
  const { lots, told } = await record(0);
  expect(lots.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(lots.flat()).toEqual(IDS);
  expect(told).toEqual([]);
});

it('a batch of audit events that could not be stored is reported to the operator', async () => {
  const { lots, told } = await record(2);
  expect(lots.flat()).toEqual(IDS);
  expect(told).toEqual(IDS.slice(100, 200));
});
