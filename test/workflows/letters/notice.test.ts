/**
 * Tests the workflow of a notice on a virtual clock. It creates all records first, then sends until no record is
 * pending. This holds for any losses in between.
 */
import {
  LETTER_QUEUE,
  type LetterActivities,
  noticeWorkflowId,
} from '../../../src/contracts/letters/letters';
import { startNotice } from '../../../src/temporal/calls/notice-calls';
import { keepHistory } from '../../replay/keep-history';
import { type Environment, openInProcess } from '../environments';

const MINUTE = 60_000;
let environment: Environment;

beforeAll(async () => {
  environment = await openInProcess();
  await environment.startOrchestrator({});
});
afterAll(() => environment.stop());

/**
 * Returns activities for this many pages of subscribers. Each call of `send` gets the next response, and the last
 * response is repeated.
 */
function activitiesOf(pages: number, waits: readonly (number | null)[]) {
  const calls: string[] = [];
  let sent = 0;
  const activities: LetterActivities = {
    writeLetters: async ({ afterId }) => {
      const page = afterId === null ? 1 : Number(afterId) + 1;
      calls.push(`write ${page}`);
      return { lastId: page < pages ? `${page}` : null };
    },
    sendLetters: async () => {
      calls.push(`send at ${Math.round((Date.now() - startMs) / MINUTE)}`);
      const waitMs = waits[Math.min(sent, waits.length - 1)] ?? null;
      sent += 1;
      return { waitMs };
    },
    endNotice: async () => {
      calls.push('end');
    },
  };
  const startMs = Date.now();
  return { activities, calls };
}

async function run(noticeId: string, activities: LetterActivities): Promise<void> {
  const worker = await environment.startWorker(LETTER_QUEUE, { ...activities });
  const notice = { id: noticeId, accountId: 'acc_1' };
  await startNotice(environment.client, notice);
  // Starts the notice a second time, which changes nothing.
  await startNotice(environment.client, notice);
  const handle = environment.client.workflow.getHandle(noticeWorkflowId(noticeId));
  await environment.until(
    'its end',
    async () => (await handle.describe()).status.name === 'COMPLETED',
  );
  await worker.stop();
}

test('the records of all letters of a notice are written before the first letter is sent', async () => {
  const { activities, calls } = activitiesOf(3, [0, 0, null]);
  await run('ntc_pages', activities);
  expect(calls).toEqual([
    'write 1',
    'write 2',
    'write 3',
    'send at 0',
    'send at 0',
    'send at 0',
    'end',
  ]);
});

test('the workflow of a notice waits until its next delivery is due', async () => {
  const { activities, calls } = activitiesOf(1, [5 * MINUTE, 60 * MINUTE, null]);
  await run('ntc_waits', activities);
  await keepHistory(environment, 'notice', noticeWorkflowId('ntc_waits'));
  expect(calls).toEqual(['write 1', 'send at 0', 'send at 5', 'send at 65', 'end']);
});

test('a failed call of a notice is repeated while the database is away, until it succeeds', async () => {
  const { activities, calls } = activitiesOf(1, [null]);
  let failures = 3;
  const failing: LetterActivities = {
    ...activities,
    sendLetters: async (notice) => {
      failures -= 1;
      if (failures >= 0) throw new Error('the database is away');
      return activities.sendLetters(notice);
    },
  };
  await run('ntc_away', failing);
  expect(calls.filter((call) => call === 'end')).toHaveLength(1);
  expect(failures).toBe(-1);
});

test('a notice with thousands of deliveries continues as new, and is ended once', async () => {
  const sends = 400;
  const { activities, calls } = activitiesOf(10, [...Array(sends - 1).fill(0), null]);
  await run('ntc_many', activities);
  expect(calls.filter((call) => call.startsWith('send'))).toHaveLength(sends);
  expect(calls.filter((call) => call.startsWith('write'))).toHaveLength(10);
  expect(calls.at(-1)).toBe('end');
});
