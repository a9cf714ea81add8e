/** Which work starts, waits or is refused, with a clock that the test moves. */
import { createAdmission } from '../../src/platform/admission';

const BOUNDS = { atOnce: 2, waitingMax: 3, waitMaxMs: 1_000 };

function admissionAt(start = 0) {
  const clock = { nowMs: start };
  const outcomes: (string | undefined)[] = [];
  const leaves: (() => void)[] = [];
  const admit = createAdmission(BOUNDS, () => clock.nowMs);
  let count = 0;
  /** Outcomes in the order of requests; undefined while waiting. */
  const ask = (): void => {
    const index = count;
    count += 1;
    outcomes[index] = undefined;
    void admit().then((leave) => {
      outcomes[index] = leave === null ? 'refused' : 'begun';
      if (leave !== null) leaves[index] = leave;
    });
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { clock, outcomes, ask, settle, end: (index: number) => leaves[index]?.() };
}

test('a limited number of requests runs at once, some wait in order, and the rest are refused', async () => {
  const { ask, settle, end, outcomes } = admissionAt();
  for (let index = 0; index < 6; index += 1) ask();
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', undefined, undefined, undefined, 'refused']);
  end(0);
  await settle();
  expect(outcomes.slice(2, 5)).toEqual(['begun', undefined, undefined]);
  ask();
  await settle();
  expect(outcomes[6]).toBeUndefined();
});

test('a request that has waited too long is refused at its turn, and no other is admitted before', async () => {
  const { clock, ask, settle, end, outcomes } = admissionAt();
  for (let index = 0; index < 4; index += 1) ask();
  clock.nowMs = 1_000;
  ask();
  clock.nowMs = 1_001;
  ask();
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', undefined, undefined, undefined, 'refused']);
  end(1);
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', 'refused', 'refused', 'begun', 'refused']);
});

test('once all running work has ended, all slots are free again, whatever was refused', async () => {
  const { clock, ask, settle, end, outcomes } = admissionAt();
  for (let index = 0; index < 6; index += 1) ask();
  await settle();
  clock.nowMs = 5_000;
  end(0);
  end(1);
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', 'refused', 'refused', 'refused', 'refused']);
  for (let index = 6; index < 9; index += 1) ask();
  await settle();
  expect(outcomes.slice(6)).toEqual(['begun', 'begun', undefined]);
});

test('work that is reported as ended twice frees only one slot', async () => {
  const { ask, settle, end, outcomes } = admissionAt();
  for (let index = 0; index < 4; index += 1) ask();
  await settle();
  end(0);
  end(0);
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', 'begun', undefined]);
});
