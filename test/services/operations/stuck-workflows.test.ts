/** Tests which callers wait for Temporal to list stuck workflows, and which callers get the last known list. */
import { createFindStuck } from '../../../src/services/operations/stuck-workflows';
import type { StuckWorkflow } from '../../../src/services/ports/gateway';

function stuck(workflowId: string): StuckWorkflow {
  return {
    workflowId,
    workflowType: 'monitorWorkflow',
    cause: 'Unhandled',
    accountId: 'acc_1',
    resourceType: 'monitor',
    resourceId: 'mon_1',
  };
}

/** Creates a Temporal whose responses the test gives, and a clock that the test moves. */
function given() {
  const asked: { resolve(found: readonly StuckWorkflow[]): void; reject(error: Error): void }[] =
    [];
  const clock = { nowMs: 1_000_000, now: () => clock.nowMs };
  const listStuck = () =>
    new Promise<readonly StuckWorkflow[]>((resolve, reject) => asked.push({ resolve, reject }));
  const findStuck = createFindStuck({ gateway: { listStuck }, clock });
  return { asked, clock, findStuck };
}

it('Temporal is asked once for all callers that wait for the first list of stuck workflows', async () => {
  const { asked, findStuck } = given();
  const both = [findStuck(), findStuck()];
  asked[0]?.resolve([stuck('a')]);
  expect(await Promise.all(both)).toEqual([[stuck('a')], [stuck('a')]]);
  expect(asked).toHaveLength(1);
});

it('the last list of stuck workflows is returned while Temporal is queried, and the new list afterwards', async () => {
  const { asked, clock, findStuck } = given();
  const first = findStuck();
  asked[0]?.resolve([stuck('a')]);
  await first;
  clock.nowMs += 19_999;
  await findStuck();
  expect(asked).toHaveLength(1);
  clock.nowMs += 1;
  expect(await findStuck()).toEqual([stuck('a')]);
  expect(await findStuck()).toEqual([stuck('a')]);
  expect(asked).toHaveLength(2);
  asked[1]?.resolve([]);
  await new Promise(setImmediate);
  expect(await findStuck()).toEqual([]);
});

it('callers wait for a new list of stuck workflows if the last list is a minute old', async () => {
  const { asked, clock, findStuck } = given();
  const first = findStuck();
  asked[0]?.resolve([stuck('a')]);
  await first;
  clock.nowMs += 60_000;
  const later = findStuck();
  asked[1]?.resolve([stuck('b')]);
  expect(await later).toEqual([stuck('b')]);
});

it('the last list of stuck workflows is returned when Temporal fails, and no caller waits for Temporal again', async () => {
  const { asked, clock, findStuck } = given();
  const first = findStuck();
  asked[0]?.resolve([stuck('a')]);
  await first;
  clock.nowMs += 60_000;
  const failing = findStuck();
  asked[1]?.reject(new Error('away'));
  expect(await failing).toEqual([stuck('a')]);
  clock.nowMs += 20_000;
  expect(await findStuck()).toEqual([stuck('a')]);
  expect(asked).toHaveLength(3);
});
