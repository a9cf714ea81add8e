/** Tests the limit on concurrent checks of watches. */
import { createInFlight } from '../../../src/activities/watches/in-flight';

test('a probe runs a limited number of checks at a time, and the check of the newest waiting slot comes first', async () => {
  const inFlight = createInFlight(2);
  const begun: number[] = [];
  const leaves: (() => void)[] = [];
  const take = (slotMs: number) =>
    void inFlight.take(slotMs).then((leave) => {
      begun.push(slotMs);
      leaves.push(leave);
    });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (const slotMs of [1, 2, 3, 5, 4]) take(slotMs);
  await turn();
  expect(begun).toEqual([1, 2]);
  for (let ended = 0; ended < 3; ended += 1) {
    leaves[ended]?.();
    await turn();
  }
  expect(begun).toEqual([1, 2, 5, 4, 3]);
});
