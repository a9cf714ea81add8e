/** Tests retries while Temporal is busy. They are limited per object and per request. */
import fc from 'fast-check';
import { AppError } from '../../../src/platform/errors';
import { createRetryWhileBusy, retryThrown } from '../../../src/services/lists/retry-while-busy';
import { propertyOptions } from '../../support/property-runs';

const TRIES_MAX = 4;
const RETRIES_MAX = 24;

/**
 * Carries out a call for each object, which fails this often before it succeeds. Returns the number of tries for each
 * object, and the total wait.
 */
async function carryOut(refusals: readonly number[]) {
  const pauses: number[] = [];
  const retry = createRetryWhileBusy({
    sleep: async (ms) => {
      pauses.push(ms);
    },
  });
  const tries: number[] = [];
  for (const refused of refusals) {
    let count = 0;
    await retry(
      async () => {
        count += 1;
        return count > refused ? undefined : 'unavailable';
      },
      (code) => code,
    );
    tries.push(count);
  }
  return { tries, pauses };
}

it('each object is tried at most four times, and after a total of 24 retries only once', async () => {
  const refusals = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(refusals, async (given) => {
      const { tries, pauses } = await carryOut(given);
      let left = RETRIES_MAX;
      for (const [index, count] of tries.entries()) {
        const wanted = Math.min((given[index] ?? 0) + 1, TRIES_MAX, left + 1);
        expect(count).toBe(wanted);
        left -= count - 1;
      }
      expect(pauses).toHaveLength(RETRIES_MAX - left);
    }),
    propertyOptions(100),
  );
});

it('each retry waits longer than the previous one, and a permanent error is not retried', async () => {
  expect((await carryOut([9])).pauses).toEqual([500, 1_000, 1_500]);
  const retry = createRetryWhileBusy({
    sleep: () => Promise.reject(new Error('nothing is waited for')),
  });
  for (const code of [undefined, 'validation_failed', 'key_taken'])
    expect(
      await retry(
        async () => code,
        (outcome) => outcome,
      ),
    ).toBe(code);
});

it('an unexpected error is rethrown at once', async () => {
  const retry = createRetryWhileBusy({ sleep: async () => undefined });
  const attempt = () => Promise.reject(new Error('a fault of ours'));
  await expect(retry(attempt, () => undefined)).rejects.toThrow('a fault of ours');
});

it('calls are retried while Temporal is unavailable, and in the end the last error is thrown', async () => {
  const retry = retryThrown(createRetryWhileBusy({ sleep: async () => undefined }));
  const refuse = (tries: number) =>
    new AppError('unavailable', `It has no time, ${tries} times by now.`);
  const endOf = async (refusals: number) => {
    let tries = 0;
    return retry(async () => {
      tries += 1;
      if (tries <= refusals) throw refuse(tries);
      return tries;
    });
  };
  expect(await endOf(TRIES_MAX - 1)).toBe(TRIES_MAX);
  await expect(endOf(TRIES_MAX)).rejects.toThrow(refuse(TRIES_MAX).message);
  await expect(retry(() => Promise.reject(new AppError('key_taken', 'taken')))).rejects.toThrow(
    'taken',
  );
});
