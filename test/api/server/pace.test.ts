/** Tests the limit on requests of each sender in a time window. Compares it with an independent count. */
import { createPace } from '../../../src/api/server/pace';
import { createRandom } from '../../support/random';
import { testSeed } from '../../support/test-seed';

const seed = testSeed();

test('exactly the maximum number of requests of each sender is admitted in each window', () => {
  const random = createRandom(seed);
  for (let round = 0; round < 10; round += 1) {
    const max = 1 + Math.floor(random() * 5);
    const windowSeconds = 1 + Math.floor(random() * 60);
    const { count } = createPace({ max, windowSeconds, message: 'Too many.' });
    const counted = new Map<string, number>();
    let nowMs = Math.floor(random() * 1e12);
    for (let step = 0; step < 100; step += 1) {
      nowMs += Math.floor(random() * windowSeconds * 100);
      const sender = `s${Math.floor(random() * 3)}`;
      const window = Math.floor(nowMs / (windowSeconds * 1_000));
      const key = `${sender} ${window}`;
      counted.set(key, (counted.get(key) ?? 0) + 1);
      const refusal = count(sender, nowMs);
      expect([round, step, refusal !== null]).toEqual([round, step, (counted.get(key) ?? 0) > max]);
      const afterMs = nowMs + 1_000 * (refusal?.retryAfterSeconds ?? windowSeconds);
      expect(Math.floor(afterMs / (windowSeconds * 1_000))).toBe(window + 1);
    }
  }
});
