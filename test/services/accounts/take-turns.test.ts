/**
 * Tests the locks of an account, with a clock that the test moves.
 *
 * Covers:
 * - services/accounts/plan-limits
 */
import { randomBytes } from 'node:crypto';
import type { IdempotencyRecord } from '../../../src/models/operations/idempotency';
import { runExclusively } from '../../../src/services/accounts/plan-limits';

const ACCOUNT = { accountId: 'acc_1', kind: 'layers' };

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function createTurns() {
  const claims = new Map<string, IdempotencyRecord>();
  const own = (id: string, owner: string) => claims.get(id)?.owner === owner;
  const idempotency = {
    claim: async (_account: string, claim: IdempotencyRecord) => {
      const known = claims.get(claim.id);
      if (known !== undefined && known.expiresAtMs > jest.now()) return known;
      claims.set(claim.id, claim);
      return 'claimed';
    },
    renew: async (_account: string, { id, owner, expiresAtMs }: IdempotencyRecord) => {
      const known = claims.get(id);
      if (known?.owner === owner) claims.set(id, { ...known, expiresAtMs });
    },
    release: async (_account: string, { id, owner }: IdempotencyRecord) => {
      if (own(id, owner)) claims.delete(id);
    },
  };
  const needs = {
    stores: { idempotency },
    clock: { now: () => jest.now() },
    sleep: (ms: number) => jest.advanceTimersByTimeAsync(ms).then(() => undefined),
    randomBytes,
  };
  return { needs: needs as never as Parameters<typeof runExclusively>[0], claims };
}

test('a lock is held until its holder ends, however long that takes, and is then free immediately', async () => {
  const { needs, claims } = createTurns();
  let end = (): void => undefined;
  const first = runExclusively(
    needs,
    ACCOUNT,
    () => new Promise<void>((resolve) => (end = resolve)),
  );
  await jest.advanceTimersByTimeAsync(60_000);
  const second = runExclusively(needs, ACCOUNT, async () => 'never');
  await expect(second).rejects.toMatchObject({ code: 'unavailable' });
  end();
  await first;
  expect(claims.size).toBe(0);
  expect(await runExclusively(needs, ACCOUNT, async () => 'third')).toBe('third');
});

test('the lock of a process that has ended is free after ten seconds', async () => {
  const { needs, claims } = createTurns();
  const owner = 'a dead process';
  const id = `room ${ACCOUNT.accountId} ${ACCOUNT.kind}`;
  const expiresAtMs = jest.now() + 10_000;
  claims.set(id, { id, accountId: 'acc_1', owner, fingerprint: '', kept: null, expiresAtMs });
  await expect(runExclusively(needs, ACCOUNT, async () => 'early')).rejects.toThrow();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(await runExclusively(needs, ACCOUNT, async () => 'late')).toBe('late');
});
