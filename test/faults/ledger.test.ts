/** Tests what the ledger of faults counts as due, measured, a gap, lost, doubled and a false down. */
import type { Result } from '../support/api-client';
import { countSlots } from './ledger';

const INTERVAL_MS = 10_000;
const AT_MS = Date.parse('2026-01-01T00:00:00Z');

function resultOf(nth: number, facts: Partial<Result> = {}): Result {
  const slot = new Date(AT_MS + nth * INTERVAL_MS).toISOString();
  const measured = { kind: 'scheduled', status: 'up', failure: null, gap: null } as const;
  const names = { id: `r${nth}`, revision: 1, trigger: 'schedule', region: 'eu-west' };
  return { ...names, slot, ...measured, ...facts };
}

function gapOf(nth: number, slots: number): Result {
  const at = (one: number) => new Date(AT_MS + one * INTERVAL_MS).toISOString();
  const gap = { reason: 'missed', from: at(nth), to: at(nth + slots - 1), slots };
  return resultOf(nth, { status: 'unknown', gap });
}

function count(results: readonly Result[], isTroubled = false) {
  const monitor = { id: 'm', name: 'm', path: '/m', intervalMs: INTERVAL_MS };
  const never = () => Promise.reject(new Error('not asked'));
  const api = { call: never, createMonitor: never, resultsOf: async () => results };
  const sinceMs = AT_MS + 2 * INTERVAL_MS;
  return countSlots({ api, monitors: [monitor] }, sinceMs, isTroubled ? [monitor] : []);
}

const lost = { status: 'unknown', failure: { code: 'worker_lost', message: '' } } as const;

test('the ledger counts each slot of a gap, and names the reason of each gap', async () => {
  const results = [resultOf(0), gapOf(1, 3), resultOf(4, lost), resultOf(5)];
  expect(await count(results)).toEqual({
    due: 4,
    measured: 1,
    gaps: 3,
    reasons: { missed: 2, worker_lost: 1 },
    lost: 0,
    doubled: 0,
    falseDowns: 0,
  });
});

test('a slot without a result or gap counts as lost, and a slot with two results counts as doubled', async () => {
  const results = [resultOf(0), resultOf(2), resultOf(4), resultOf(4), resultOf(5)];
  expect(await count(results)).toMatchObject({ due: 4, measured: 3, lost: 1, doubled: 1, gaps: 0 });
});

test('a down result is false only if the target is healthy', async () => {
  const results = [resultOf(2), resultOf(3, { status: 'down' })];
  expect(await count(results)).toMatchObject({ measured: 2, falseDowns: 1 });
  expect(await count(results, true)).toMatchObject({ measured: 2, falseDowns: 0 });
});
