/** Tests since when a check counts as unable to sign in at its identity provider, by the status of the check. */
import type { SignInFailure } from '../../../src/contracts/alerting/identity-providers';
import { judgeFailure, type SeenCheck } from '../../../src/domain/alerting/identity-provider';

const check = { resourceType: 'monitor', resourceId: 'mon_1', resourceName: 'shop' } as const;
const failure: SignInFailure = {
  ...check,
  accountId: 'acc_1',
  region: 'eu',
  revision: 1,
  tokenUrl: 'https://auth.example.com/token',
  problem: 'unavailable',
  reason: '503',
  message: 'It failed.',
  firstSlotMs: 10,
  lastSlotMs: 30,
};
const seen = (one: SeenCheck['seen'][number]): SeenCheck => ({
  ...check,
  isPaused: false,
  revision: 1,
  regions: ['eu'],
  seen: [one],
});

test('after a passing check between two sign-in failures, a check counts as failing from the second failure', () => {
  const passed = seen({ region: 'eu', health: 'up', sinceMs: 20, slotMs: 20 });
  expect(judgeFailure(failure, passed)).toMatchObject({ verdict: 'failing', atMs: 30 });
  const stored = seen({ region: 'eu', health: 'unknown', sinceMs: 30, slotMs: 30 });
  expect(judgeFailure(failure, stored)).toMatchObject({ verdict: 'failing', atMs: 30 });
});

test('a requested check that passes after the last sign-in failure counts as passed', () => {
  const passed = seen({ region: 'eu', health: 'up', sinceMs: 35, slotMs: 20 });
  expect(judgeFailure(failure, passed)).toMatchObject({ verdict: 'passed', atMs: 35 });
  const before = seen({ region: 'eu', health: 'up', sinceMs: 29, slotMs: 20 });
  expect(judgeFailure(failure, before)).toMatchObject({ verdict: 'failing' });
});

test('two sign-in failures in a row count as failing from the first, even if the stored status is older than both', () => {
  const older = seen({ region: 'eu', health: 'up', sinceMs: 1, slotMs: 5 });
  expect(judgeFailure(failure, older)).toMatchObject({ verdict: 'failing', atMs: 10 });
});
